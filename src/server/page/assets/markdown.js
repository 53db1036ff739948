// Markdown as nodes of the document. Text of a model is never taken for HTML.
const make = (name, ...children) => {
  const node = document.createElement(name);
  node.append(...children);
  return node;
};

const kWords = /\b(?:async|await|auto|bool|break|case|catch|class|const|continue|def|do|elif|else|enum|except|export|false|False|fn|for|from|func|function|if|impl|import|in|int|let|match|namespace|new|None|null|private|pub|public|return|self|static|struct|switch|template|this|throw|true|True|try|type|use|using|var|void|while|with|yield)\b/;
const kCode = new RegExp(`("(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*')|(\\/\\/[^\\n]*|#[^\\n]*)|(${kWords.source})`, "g");

const highlighted = (text) => {
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(kCode)) {
    nodes.push(text.slice(at, match.index));
    const span = make("span", match[0]);
    span.className = match[1] ? "string" : match[2] ? "comment" : "word";
    nodes.push(span);
    at = match.index + match[0].length;
  }
  return [...nodes, text.slice(at)];
};

const codeBlock = (language, text) => {
  const copy = make("button", "Copy");
  copy.type = "button";
  copy.addEventListener("click", () => navigator.clipboard.writeText(text).then(() => { copy.textContent = "Copied"; }));
  const bar = make("div", make("span", language || "code"), copy);
  bar.className = "bar";
  const pre = make("pre", make("code", ...highlighted(text)));
  pre.tabIndex = 0;
  const block = make("div", bar, pre);
  block.className = "code";
  return block;
};

const link = (text, target) => {
  if (!/^(?:https?:|mailto:)/i.test(target)) return `[${text}](${target})`;
  const node = make("a", text);
  node.href = target;
  node.rel = "noopener noreferrer";
  node.target = "_blank";
  return node;
};

const kInline = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*|\[([^\]\n]+)\]\(([^)\s]+)\)/g;
const inline = (text) => {
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(kInline)) {
    nodes.push(text.slice(at, match.index));
    if (match[1]) nodes.push(make("code", match[1]));
    else if (match[2]) nodes.push(make("strong", match[2]));
    else if (match[3]) nodes.push(make("em", match[3]));
    else nodes.push(link(match[4], match[5]));
    at = match.index + match[0].length;
  }
  return [...nodes, text.slice(at)];
};

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((each) => each.trim());
const row = (name, line) => make("tr", ...cells(line).map((cell) => make(name, ...inline(cell))));

const kKinds = [
  [/^#{1,6}\s+/, (lines) => make("h3", ...inline(lines[0].replace(/^#+\s+/, "")))],
  [/^\s*[-*+]\s+/, (lines) => make("ul", ...lines.map((line) => make("li", ...inline(line.replace(/^\s*[-*+]\s+/, "")))))],
  [/^\s*\d+[.)]\s+/, (lines) => make("ol", ...lines.map((line) => make("li", ...inline(line.replace(/^\s*\d+[.)]\s+/, "")))))],
  [/^>\s?/, (lines) => make("blockquote", ...inline(lines.map((line) => line.replace(/^>\s?/, "")).join("\n")))],
  [/^\|.*\|\s*$/, (lines) => make("table", row("th", lines[0]), ...lines.slice(/^\|[\s:|-]+$/.test(lines[1] ?? "") ? 2 : 1).map((line) => row("td", line)))],
];
const kindOf = (line) => kKinds.find(([pattern]) => pattern.test(line));

const paragraph = (lines) => {
  const node = make("p");
  lines.forEach((line, i) => node.append(...(i > 0 ? [make("br")] : []), ...inline(line)));
  return node;
};

/** The nodes of a text, which may still grow: an open fence is a block of code to its end. */
export const render = (text) => {
  const nodes = [];
  const lines = text.split("\n");
  for (let i = 0; i < lines.length;) {
    const fence = /^\s*(`{3,}|~{3,})\s*(\w*)/.exec(lines[i]);
    let end = i + 1;
    if (fence) {
      while (end < lines.length && !lines[end].trim().startsWith(fence[1])) ++end;
      nodes.push(codeBlock(fence[2], lines.slice(i + 1, end).join("\n")));
      i = end + 1;
      continue;
    }
    if (!lines[i].trim()) { ++i; continue; }
    const kind = kindOf(lines[i]);
    const heading = kind === kKinds[0];
    while (!heading && end < lines.length && lines[end].trim() && kindOf(lines[end]) === kind && !/^\s*(?:`{3}|~{3})/.test(lines[end])) ++end;
    nodes.push(kind ? kind[1](lines.slice(i, end)) : paragraph(lines.slice(i, end)));
    i = end;
  }
  return nodes;
};
