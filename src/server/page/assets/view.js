// What a conversation looks like.
import { render } from "./markdown.js";

const list = document.getElementById("messages");

const element = (name, text, className = "") => {
  const node = document.createElement(name);
  node.textContent = text;
  node.className = className;
  return node;
};

const per = (probability) => `${(100 * Math.exp(probability)).toFixed(1)} %`;

/** The answer token by token: each tells how likely it was, and what else was. */
const tokenNodes = (tokens) => tokens.map((token) => {
  const node = element("span", token.token, "token");
  node.setAttribute("role", "img"); // so that it may have a label
  node.tabIndex = 0;
  const others = (token.top_logprobs ?? []).map((other) => `${JSON.stringify(other.token)} ${per(other.logprob)}`);
  node.title = [`${per(token.logprob)}`, ...others].join("\n");
  node.setAttribute("aria-label", `${token.token}: ${node.title.replaceAll("\n", ", ")}`);
  return node;
});

const fill = (item, message) => {
  const body = item.querySelector(".body");
  const thinking = item.querySelector("details");
  thinking.hidden = !message.reasoning;
  thinking.querySelector("div").textContent = message.reasoning ?? "";
  if (message.role === "user") {
    body.replaceChildren(...message.content.split("\n").map((line) => element("p", line)));
  } else if (message.tokens?.length > 0) {
    body.replaceChildren(...tokenNodes(message.tokens));
  } else {
    body.replaceChildren(...render(message.content));
  }
};

const messageItem = (message, tools) => {
  const item = element("li", "", message.role);
  const thinking = document.createElement("details");
  thinking.append(element("summary", "Reasoning"), element("div", ""));
  const row = element("div", "", "tools");
  for (const [name, act] of tools) {
    const button = element("button", name);
    button.type = "button";
    button.addEventListener("click", act);
    row.append(button);
  }
  item.append(element("p", message.role === "user" ? "You" : "Answer", "who"), thinking, element("div", "", "body"), row);
  fill(item, message);
  return item;
};

const isAtEnd = () => list.scrollHeight - list.scrollTop - list.clientHeight < 80;

/** Shows all messages; toolsOf(message, index) gives the buttons below one. */
export const show = (messages, toolsOf) => {
  list.replaceChildren(...messages.map((message, i) => messageItem(message, toolsOf(message, i))));
  list.scrollTop = list.scrollHeight;
};

/** Shows the last message again, which has grown. */
export const grow = (message) => {
  const follow = isAtEnd();
  fill(list.lastElementChild, message);
  if (follow) list.scrollTop = list.scrollHeight;
};

/** Shows the names of all conversations. */
export const showConversations = (all, current, { open, rename, remove }) => {
  const entries = all.map((each) => {
    const item = element("li", "");
    const button = element("button", each.title, "open");
    button.setAttribute("aria-current", String(each === current));
    button.addEventListener("click", () => open(each));
    const name = element("button", "✎");
    name.setAttribute("aria-label", `Rename ${each.title}`);
    name.addEventListener("click", () => rename(each));
    const gone = element("button", "✕");
    gone.setAttribute("aria-label", `Delete ${each.title}`);
    gone.addEventListener("click", () => remove(each));
    item.append(button, name, gone);
    return item;
  });
  document.getElementById("conversations").replaceChildren(...entries);
};

export const say = (text, bad = false) => {
  const status = document.getElementById("status");
  status.textContent = text;
  status.className = bad ? "bad" : "";
};
