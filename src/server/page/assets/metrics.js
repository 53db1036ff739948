// Small charts of what the server says about itself.
import { metricsText } from "./api.js";

const kPeriodMs = 1000;
const kPoints = 60;
const kSvg = "http://www.w3.org/2000/svg";

const sum = (text, name) => text.split("\n")
  .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);

const kCharts = [
  { title: "Tokens generated per second", name: "vllm:generation_tokens_total", rate: true },
  { title: "Prompt tokens per second", name: "vllm:prompt_tokens_total", rate: true },
  { title: "Answers that run", name: "vllm:num_requests_running" },
  { title: "Answers that wait", name: "vllm:num_requests_waiting" },
  { title: "Cache in use, per cent", name: "vllm:kv_cache_usage_perc", scale: 100 },
];
const histories = kCharts.map(() => []);
const last = kCharts.map(() => null);

const draw = (chart, values) => {
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = `${chart.title}: ${(values.at(-1) ?? 0).toFixed(1)}`;
  const svg = document.createElementNS(kSvg, "svg");
  svg.setAttribute("viewBox", `0 0 ${kPoints - 1} 20`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", caption.textContent);
  const line = document.createElementNS(kSvg, "polyline");
  const most = Math.max(1, ...values);
  line.setAttribute("points", values.map((value, i) => `${i + kPoints - values.length},${19 - 18 * value / most}`).join(" "));
  svg.append(line);
  figure.append(caption, svg);
  return figure;
};

const look = async () => {
  const text = await metricsText();
  const now = performance.now();
  kCharts.forEach((chart, i) => {
    const value = sum(text, chart.name) * (chart.scale ?? 1);
    const before = last[i];
    last[i] = { value, now };
    if (chart.rate && !before) return;
    histories[i].push(chart.rate ? (value - before.value) * 1000 / (now - before.now) : value);
    histories[i].splice(0, histories[i].length - kPoints);
  });
  document.getElementById("charts").replaceChildren(...kCharts.map((chart, i) => draw(chart, histories[i])));
};

/** Draws while the dialog is open. */
export const watch = async (dialog) => {
  dialog.showModal();
  while (dialog.open) {
    try {
      await look();
    } catch (error) {
      document.getElementById("charts").textContent = `No figures: ${error.message}`;
    }
    await new Promise((done) => setTimeout(done, kPeriodMs));
  }
};
