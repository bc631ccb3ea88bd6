// The whole of it: open, look, load, generate.
import { open } from "../straw.js";

const $ = (id) => document.getElementById(id);
const model = await open("../demo.gguf");
$("about").textContent = `${model.info.summary.name}, ${model.info.summary.n_tensors} tensors`;
$("tell").disabled = false;
$("tell").onclick = async () => {
  $("tell").disabled = true;
  const session = await model.load();
  for await (const piece of session.generate({ prompt: "Once upon a time", maxTokens: 60 })) $("story").append(piece.text);
  session.close();
  $("tell").disabled = false;
};
