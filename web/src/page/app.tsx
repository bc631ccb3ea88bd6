import type { JSX } from "preact";
import type { Info } from "../straw";
import { t } from "../strings";
import { CompareView } from "./compare";
import { EditView } from "./edit/view";
import { Findings } from "./findings";
import { Drop, Intro } from "./intro";
import { Keys, KeysButton } from "./help";
import { MapView } from "./map";
import { Metadata } from "./metadata";
import { Opening, Problem } from "./problem";
import { RunInvitation, RunPanel } from "./run";
import { announcement, info, phase, problem } from "./state";
import { Summary } from "./summary";
import { TemplateView } from "./template/view";
import { TensorView } from "./tensor";
import { Tensors } from "./tensors";
import { nextTheme, theme } from "./theme";
import { TokensView } from "./tokens/view";
import type { ViewName } from "./views";
import { hrefOf, tabs, view } from "./views";

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
        <KeysButton />
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
            <Tabs />
            <Shown info={shown} />
          </div>
        )}
      </main>
      <footer class="foot">{t.foot}</footer>
      <p class="sr" role="status">{announcement}</p>
      <Drop />
      <Keys />
    </>
  );
}

/** What each view draws of the open file; `of` is what its address names. */
const views: Record<ViewName, (p: { info: Info; of: string }) => JSX.Element> = {
  file: File,
  run: RunPanel,
  map: MapView,
  tokens: TokensView,
  template: TemplateView,
  compare: CompareView,
  edit: EditView,
  tensor: TensorView,
};

function Shown({ info: shown }: { info: Info }): JSX.Element {
  const { name, of } = view.value;
  const View = views[name];
  return <View key={`${name}/${of}`} info={shown} of={of} />;
}

function Tabs(): JSX.Element {
  return (
    <nav class="tabs" aria-label={t.views.label}>
      {tabs.map((name) => (
        <a key={name} href={hrefOf(name)} data-view={name} aria-current={view.value.name === name ? "page" : undefined}>{t.views[name]}</a>
      ))}
    </nav>
  );
}

function File({ info: shown }: { info: Info }): JSX.Element {
  return (
    <div class="columns">
      <div class="aside">
        <RunInvitation info={shown} />
        <Findings key={shown} info={shown} />
      </div>
      <div class="tables">
        <Metadata entries={shown.metadata} />
        <Tensors tensors={shown.tensors} />
      </div>
    </div>
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
