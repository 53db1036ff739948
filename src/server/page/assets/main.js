// The page: what its parts do when somebody uses them.
import { answer, isRunning, stop } from "./answer.js";
import { models } from "./api.js";
import { watch } from "./metrics.js";
import { begin, importText, remove, save, state } from "./store.js";
import { say, show, showConversations } from "./view.js";

const get = (id) => document.getElementById(id);
const text = get("text");
const kFileMost = 200_000; // characters, as the server takes by default

const busy = (is) => {
  get("stop").hidden = !is;
  get("send").disabled = is;
};

const drawAll = () => {
  show(state.current.messages, (message, i) => message.role === "user" ? [["Edit", () => edit(i)]] : [["Retry", () => retry(i)], ["Copy", () => navigator.clipboard.writeText(message.content)]]);
  showConversations(state.conversations, state.current, { open, rename, remove: gone });
};

const open = (conversation) => {
  stop();
  state.current = conversation;
  get("side").classList.remove("shown");
  get("menu").setAttribute("aria-expanded", "false");
  drawAll();
  text.focus();
};

const rename = (conversation) => {
  const title = prompt("Name of the conversation", conversation.title);
  if (title) conversation.title = title;
  save();
  drawAll();
};

const gone = (conversation) => {
  if (!confirm(`Delete "${conversation.title}"?`)) return;
  if (conversation === state.current) stop();
  remove(conversation.id);
  drawAll();
};

const ask = async () => {
  const { messages } = state.current;
  const message = { role: "assistant", content: "" };
  const before = [...messages];
  messages.push(message);
  drawAll();
  busy(true);
  await answer(before, message);
  busy(false);
};

const send = () => {
  const content = text.value.trim();
  if (!content || isRunning()) return;
  if (state.current.messages.length === 0) state.current.title = content.slice(0, 40);
  state.current.messages.push({ role: "user", content });
  text.value = "";
  save();
  ask();
};

const retry = (index) => {
  if (isRunning()) return;
  state.current.messages.length = index;
  ask();
};

const edit = (index) => {
  if (isRunning()) return;
  text.value = state.current.messages[index].content;
  state.current.messages.length = index;
  drawAll();
  text.focus();
};

const attach = async (file) => {
  const content = await file.text();
  if (content.length > kFileMost) return say(`${file.name} has ${content.length} characters; ${kFileMost} are taken.`, true);
  text.value += `${text.value ? "\n" : ""}${file.name}:\n\`\`\`\n${content}\n\`\`\`\n`;
  text.focus();
};

const loadModels = async () => {
  try {
    const names = await models();
    get("model").replaceChildren(...names.map((name) => new Option(name, name)));
    if (names.includes(state.settings.model)) get("model").value = state.settings.model;
    state.settings.model = get("model").value;
    say("");
  } catch (error) {
    say(error.status === 401 ? "The server wants an API key: enter it under Settings." : `No models: ${error.message}`, true);
  }
};

const fields = () => [...get("settings-form").elements].filter((each) => each.name);
const showSettings = () => {
  for (const field of fields()) {
    if (field.name === "key") field.value = sessionStorage.getItem("cairn.key") ?? "";
    else if (field.type === "checkbox") field.checked = state.settings[field.name] ?? false;
    else field.value = state.settings[field.name] ?? "";
  }
  get("settings").showModal();
};
const keepSettings = () => {
  for (const field of fields()) {
    if (field.name === "key") sessionStorage.setItem("cairn.key", field.value);
    else state.settings[field.name] = field.type === "checkbox" ? field.checked : field.value;
  }
  save();
  loadModels();
};

const applyTheme = () => {
  if (state.settings.theme) document.documentElement.dataset.theme = state.settings.theme;
};
const turnTheme = () => {
  const dark = state.settings.theme ? state.settings.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  state.settings.theme = dark ? "light" : "dark";
  applyTheme();
  save();
};

const download = () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(state.conversations, null, 1)], { type: "application/json" }));
  link.download = "conversations.json";
  link.click();
  URL.revokeObjectURL(link.href);
};

const upload = async (file) => {
  try {
    say(`${importText(await file.text())} conversations are new.`);
    drawAll();
  } catch (error) {
    say(`Not imported: ${error.message}`, true);
  }
};

const beginNew = () => { open(state.current.messages.length > 0 ? begin() : state.current); };
const withFile = (act) => (event) => {
  if (event.target.files[0]) act(event.target.files[0]);
  event.target.value = "";
};

get("form").addEventListener("submit", (event) => { event.preventDefault(); send(); });
text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  send();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isRunning()) stop();
  if (event.ctrlKey && event.shiftKey && event.key.toLowerCase() === "o") { event.preventDefault(); beginNew(); }
  if (event.ctrlKey && event.key === ",") { event.preventDefault(); showSettings(); }
});
get("stop").addEventListener("click", stop);
get("new").addEventListener("click", beginNew);
get("menu").addEventListener("click", () => {
  get("menu").setAttribute("aria-expanded", String(get("side").classList.toggle("shown")));
});
get("model").addEventListener("change", () => { state.settings.model = get("model").value; save(); });
get("settings-open").addEventListener("click", showSettings);
get("settings").addEventListener("close", keepSettings);
get("metrics-open").addEventListener("click", () => watch(get("metrics")));
get("theme").addEventListener("click", turnTheme);
get("export").addEventListener("click", download);
get("import").addEventListener("change", withFile(upload));
get("file").addEventListener("change", withFile(attach));

applyTheme();
open(state.conversations[0] ?? begin());
loadModels();
