// Tokens of JSON by line, and the path of a position, also in text that does not parse.

const TOKEN = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b|[{}[\],:]|\s+|[^\s{}[\],:"]+/g;

export function* tokens(line) {
  for (const match of line.matchAll(TOKEN)) {
    const text = match[0];
    let kind = "plain";
    if (text[0] === '"') kind = /^\s*:/.test(line.slice(match.index + text.length)) ? "key" : "string";
    else if (/^-?\d/.test(text)) kind = "number";
    else if (/^(true|false|null)$/.test(text)) kind = "word";
    else if (/^[{}[\],:]$/.test(text)) kind = "mark";
    yield { text, kind, at: match.index };
  }
}

/**
 * The containers around `position`, and whether a key is expected there.
 * `path` has the object keys and array indexes from the root; `keys` are the innermost object's keys before the position.
 */
export function placeAt(text, position) {
  const stack = [];
  let at = 0;
  const top = () => stack.at(-1);
  while (at < position) {
    const character = text[at];
    if (character === '"') {
      const from = at++;
      while (at < position && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
      if (at >= position) return { ...place(stack), inString: true, from: from + 1 };
      const holder = top();
      if (holder?.kind === "{" && holder.expectsKey) holder.keys.push((holder.key = unquoted(text.slice(from, at + 1))));
    } else if (character === "{" || character === "[") {
      stack.push({ kind: character, expectsKey: character === "{", key: null, keys: [], index: 0 });
    } else if (character === "}" || character === "]") {
      stack.pop();
    } else if (character === ":" && top()) {
      top().expectsKey = false;
    } else if (character === "," && top()) {
      top().expectsKey = top().kind === "{";
      top().index += 1;
    }
    at += 1;
  }
  return { ...place(stack), inString: false, from: position };
}

function place(stack) {
  const inner = stack.at(-1);
  const path = stack.slice(0, -1).map((holder) => (holder.kind === "{" ? holder.key : holder.index));
  return { path, isKey: inner?.kind === "{" && inner.expectsKey, keys: inner?.keys ?? [], valueOf: inner?.kind === "{" ? inner.key : inner?.index };
}

function unquoted(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(1, -1);
  }
}

/** The smallest change between two texts, so that an edit by script keeps the caret and the scroll position. */
export function difference(before, after) {
  let start = 0;
  const shortest = Math.min(before.length, after.length);
  while (start < shortest && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < shortest - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from: start, to: before.length - tail, text: after.slice(start, after.length - tail) };
}
