import { render } from "preact";
import { prepare } from "../straw";
import { App } from "./app";
import { keepForOffline } from "./offline";
import { askForLinked } from "./state";
import { applyTheme } from "./theme";

applyTheme();
render(<App />, document.body);
prepare(); // the viewer starts while a person looks for their file
askForLinked();
keepForOffline();
