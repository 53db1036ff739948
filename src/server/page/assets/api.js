// The server: models, and an answer as it streams.
import { state } from "./store.js";

const headers = () => {
  const key = sessionStorage.getItem("cairn.key");
  return { "Content-Type": "application/json", ...(key ? { Authorization: `Bearer ${key}` } : {}) };
};

const failure = async (response) => {
  let message = `the server answered ${response.status}`;
  try {
    message = (await response.json()).error.message ?? message;
  } catch { /* not JSON: the number says it */ }
  return Object.assign(new Error(message), { status: response.status });
};

const get = async (path) => {
  const response = await fetch(path, { headers: headers() });
  if (!response.ok) throw await failure(response);
  return response;
};

export const models = async () => (await (await get("/v1/models")).json()).data.map((each) => each.id);
export const metricsText = async () => (await get("/metrics")).text();

/** The body of a request: only what somebody set is sent. */
const bodyOf = (messages) => {
  const { system, logprobs, ...sampling } = state.settings;
  const set = Object.fromEntries(Object.entries(sampling).filter(([name, value]) => value !== "" && name !== "model" && name !== "theme"));
  return {
    ...Object.fromEntries(Object.entries(set).map(([name, value]) => [name, Number(value)])),
    model: state.settings.model,
    messages: [...(system ? [{ role: "system", content: system }] : []),
      ...messages.map(({ role, content }) => ({ role, content }))],
    stream: true,
    stream_options: { include_usage: true },
    ...(logprobs ? { logprobs: true, top_logprobs: 5 } : {}),
  };
};

/** Calls onEvent with every event of the answer, until it ends or signal stops it. */
export const stream = async (messages, signal, onEvent) => {
  const response = await fetch("/v1/chat/completions", { method: "POST", headers: headers(), body: JSON.stringify(bodyOf(messages)), signal });
  if (!response.ok) throw await failure(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the answer was cut off");
    rest += value;
    const events = rest.split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const data = event.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim()).join("\n");
      if (data === "[DONE]") return;
      if (!data) continue;
      const parsed = JSON.parse(data);
      if (parsed.error) throw new Error(parsed.error.message);
      onEvent(parsed);
    }
  }
};
