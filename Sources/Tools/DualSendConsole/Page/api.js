// Requests to the server, relative to the page's address, which contains the token.

class APIError extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? body?.message ?? `the server answered ${status}`);
    this.status = status;
    this.help = body?.error?.help;
    this.body = body;
  }
}

async function send(path, options) {
  let answer;
  try {
    answer = await fetch(path, { cache: "no-store", credentials: "omit", redirect: "error", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new APIError(0, { error: { message: "the console does not answer", help: "Is `dualsend console` still running?" } });
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw new APIError(answer.status, body);
  return body;
}

export const get = (path, query = {}, signal) => {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value != null);
  return send(given.length ? `${path}?${new URLSearchParams(given)}` : path, { signal });
};

export const post = (path, body, signal) =>
  send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });

/** Keeps only the newest call: aborts an earlier one, and ignores its answer. */
export function latest(call) {
  let under;
  return async (...given) => {
    under?.abort();
    const mine = (under = new AbortController());
    try {
      const answer = await call(...given, mine.signal);
      return mine === under ? answer : undefined;
    } catch (error) {
      if (mine !== under || error.name === "AbortError") return undefined;
      throw error;
    }
  };
}
