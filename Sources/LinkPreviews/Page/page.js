"use strict";
// Without this script the form works as well: then the answer is a whole page.
const form = document.getElementById("form");
const field = document.getElementById("links");
const state = document.getElementById("state");
const cards = document.getElementById("cards");
let underWay = null;

const say = (text) => { state.textContent = text; };

field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); form.requestSubmit(); }
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  underWay?.abort();
  underWay = new AbortController();
  const links = field.value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  preview(links, document.getElementById("noimages").checked, underWay.signal);
});

// Cards stand in the order of their links, whenever they come.
async function preview(links, withoutImages, signal) {
  if (links.length === 0) { say("There is no link yet."); return; }
  cards.replaceChildren();
  cards.dataset.state = "loading";
  say(`Looking at ${links.length === 1 ? "one link" : links.length + " links"} …`);
  const places = new Map();
  let done = 0;
  const show = (line) => {
    const { n, html } = JSON.parse(line);
    const template = document.createElement("template");
    // The service escapes whatever is others' text, and the page's policy runs no script but this one.
    template.innerHTML = html;
    const card = template.content.firstElementChild;
    const next = [...places.keys()].sort((a, b) => a - b).find((place) => place > n);
    cards.insertBefore(card, next === undefined ? null : places.get(next));
    places.set(n, card);
    done += 1;
    say(done < links.length ? `${done} of ${links.length} …` : `${done} of ${links.length}.`);
  };
  try {
    const query = new URLSearchParams(withoutImages ? { images: "no" } : {});
    // Where tokens are asked for, the page was loaded with one.
    if (form.elements.api_key) query.set("api_key", form.elements.api_key.value);
    const answer = await fetch(`cards?${query}`, {
      method: "POST", signal, headers: { "Content-Type": "text/plain" }, body: links.join("\n"),
    });
    if (!answer.ok) { say((await answer.json()).detail); return; }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split("\n");
      rest = lines.pop();
      lines.forEach(show);
    }
  } catch (error) {
    if (error.name !== "AbortError") say("The service does not answer. Is it still running?");
    if (error.name === "AbortError") return;
  } finally {
    if (!signal.aborted) cards.dataset.state = "done";
  }
}
