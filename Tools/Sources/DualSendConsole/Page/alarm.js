// The alarm, on every page: the title, the icon and a banner say that an event breaks the limit of parity.
import { get } from "./api.js";
import { h, plural, rate, remembered, replace, visible } from "./dom.js";

const PACE = 10_000;
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M8 1 15 14H1z" fill="#c62828"/></svg>')}`;

export function alarm(element) {
  const icon = document.querySelector("link[rel=icon]");
  let broken = [], room = "", sounds = remembered("sound") === "on";
  const sound = h("button", { type: "button", class: "small quiet", onclick: () => {
    sounds = !sounds;
    remembered("sound", sounds ? "on" : "off");
    show();
  } });

  async function look() {
    if (document.hidden && !sounds) return;
    let answer;
    try { answer = await get("api/parity/alarm"); } catch { return; }
    const known = new Set(broken.map(({ name }) => name));
    const isNew = answer.broken.some(({ name }) => !known.has(name));
    broken = answer.broken;
    show(answer.recent);
    if (isNew && sounds) beep();
  }

  function show(recent) {
    document.title = `${broken.length ? "▲ " : ""}${room} · DualSend console`;
    icon.href = broken.length ? ICON : "data:,";
    element.hidden = !broken.length;
    if (!broken.length) return;
    const [first] = broken;
    sound.textContent = sounds ? "sound on" : "sound off";
    const rates = (recent ?? []).map(({ minutes, judged, failing }) => ` Last ${minutes} minutes: ${judged ? `${rate(failing / judged)} of ${plural(judged, "event")} failing.` : "nothing judged."}`);
    replace(element, h("span", {}, [
      "▲ ", h("a", { href: `#parity?${new URLSearchParams({ event: first.name })}` }, visible(first.name || "(empty name)", 120)), visible(` ${first.summary}.`, 300),
      broken.length > 1 && ` And ${plural(broken.length - 1, "other event")}.`, ...(recent ? rates : []),
    ]), sound);
  }

  setInterval(look, PACE);
  return {
    look,
    set room(name) {
      room = name;
      document.title = `${broken.length ? "▲ " : ""}${room} · DualSend console`;
    },
  };
}

function beep() {
  const audio = new AudioContext(), tone = audio.createOscillator();
  tone.frequency.value = 660;
  tone.connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.3);
  tone.onended = () => audio.close();
}
