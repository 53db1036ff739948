// Conversations and settings, kept in this browser.
const kKey = "cairn.conversations";
const kSettings = "cairn.settings";
const kMost = 200; // conversations; the oldest go first

const read = (key, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
};

export const isConversation = (value) => typeof value?.id === "string" && typeof value.title === "string" &&
  Array.isArray(value.messages) && value.messages.every((message) =>
    ["user", "assistant"].includes(message?.role) && typeof message.content === "string");

export const state = {
  conversations: read(kKey, []).filter(isConversation),
  settings: read(kSettings, {}),
  current: null,
};

/** Writes everything; an error says that the browser has no room. */
export const save = () => {
  state.conversations = state.conversations.slice(0, kMost);
  localStorage.setItem(kKey, JSON.stringify(state.conversations));
  localStorage.setItem(kSettings, JSON.stringify(state.settings));
};

export const begin = () => {
  state.current = { id: crypto.randomUUID?.() ?? String(Date.now() + Math.random()), title: "New conversation", messages: [] };
  state.conversations.unshift(state.current);
  return state.current;
};

export const remove = (id) => {
  state.conversations = state.conversations.filter((each) => each.id !== id);
  if (state.current?.id === id) state.current = state.conversations[0] ?? begin();
  save();
};

/** Adds what a file of conversations holds; how many that were. */
export const importText = (text) => {
  const all = JSON.parse(text);
  if (!Array.isArray(all) || !all.every(isConversation)) throw new Error("the file holds no conversations");
  const known = new Set(state.conversations.map((each) => each.id));
  const fresh = all.filter((each) => !known.has(each.id));
  state.conversations.push(...fresh);
  save();
  return fresh.length;
};
