// One answer: asked for, shown as it comes, stopped, timed.
import { stream } from "./api.js";
import { save } from "./store.js";
import { grow, say } from "./view.js";

let stopping = null;
const kFrameMs = 60; // between two looks of the page at an answer that grows

export const stop = () => stopping?.abort();
export const isRunning = () => stopping !== null;

const add = (message, event) => {
  const choice = event.choices?.[0];
  message.content += choice?.delta?.content ?? "";
  message.reasoning = (message.reasoning ?? "") + (choice?.delta?.reasoning_content ?? "");
  if (choice?.logprobs?.content) message.tokens = [...(message.tokens ?? []), ...choice.logprobs.content];
};

const speedOf = (tokens, first, now, begun) => {
  const seconds = (now - first) / 1000;
  const rate = tokens > 1 && seconds > 0 ? `, ${((tokens - 1) / seconds).toFixed(1)} tokens/s` : "";
  return `first token after ${((first - begun) / 1000).toFixed(2)} s${rate}`;
};

/** Fills `message` with the answer to `before`. An error is told, and what came is kept. */
export const answer = async (before, message) => {
  const speed = document.getElementById("speed");
  const begun = performance.now();
  let first = 0;
  let tokens = 0;
  let shown = 0;
  stopping = new AbortController();
  say("Answering …");
  try {
    await stream(before, stopping.signal, (event) => {
      const now = performance.now();
      add(message, event);
      if (event.choices?.length > 0) {
        first ||= now;
        ++tokens;
      }
      tokens = event.usage?.completion_tokens ?? tokens;
      if (first > 0) speed.textContent = speedOf(tokens, first, now, begun);
      if (now - shown < kFrameMs) return;
      shown = now;
      grow(message);
    });
    say("Done.");
  } catch (error) {
    if (error.name === "AbortError") say("Stopped.");
    else if (error.status === 401) say("The server wants an API key: enter it under Settings, then Retry.", true);
    else say(`No answer: ${error.message}. Retry is below the message.`, true);
  } finally {
    stopping = null;
    grow(message);
    save();
  }
};
