import type { JSX } from "preact";
import { t } from "../strings";
import { Findings } from "./findings";
import { Drop, Intro } from "./intro";
import { Metadata } from "./metadata";
import { Opening, Problem } from "./problem";
import { RunPanel } from "./run";
import { announcement, info, phase, problem } from "./state";
import { Summary } from "./summary";
import { Tensors } from "./tensors";
import { nextTheme, theme } from "./theme";

export function App(): JSX.Element {
  const shown = info.value;
  return (
    <>
      <a class="skip" href="#main">{t.skip}</a>
      <header class="masthead">
        <div class="brand">
          <img src="icon.svg" alt="" width="32" height="32" />
          <span class="wordmark">{t.name}</span>
          <span class="idea">{t.idea}</span>
        </div>
        <button type="button" class="plain theme" onClick={nextTheme}>
          <span class="sr">{t.theme.label}: </span>
          <span aria-hidden="true" class={`lamp is-${theme.value}`} />
          {t.theme[theme.value]}
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {phase.value === "empty" && <Welcome />}
        {phase.value !== "empty" && !shown && <h1 class="sr">{t.name}</h1>}
        <Intro />
        <Opening />
        {problem.value && <Problem />}
        {shown && (
          <div class="file">
            <Summary info={shown} />
            <div class="columns">
              <div class="aside">
                <RunPanel info={shown} />
                <Findings key={shown} info={shown} />
              </div>
              <div class="tables">
                <Metadata entries={shown.metadata} />
                <Tensors tensors={shown.tensors} />
              </div>
            </div>
          </div>
        )}
      </main>
      <footer class="foot">{t.foot}</footer>
      <p class="sr" role="status">{announcement}</p>
      <Drop />
    </>
  );
}

function Welcome(): JSX.Element {
  return (
    <div class="welcome">
      <h1>{t.intro.title[0]} <span>{t.intro.title[1]}</span></h1>
      <p>{t.intro.lead}</p>
    </div>
  );
}
