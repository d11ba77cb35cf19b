// Talking with the server. A step waits in the browser's own storage until the server says that it is on the disk, so
// neither a closed tab nor a server that is away loses it.

let token = document.querySelector('meta[name="parcels-token"]').content;
const STEP = 'parcels-step:';
const RETRY_MS = 1500;
const listeners = new Set();
const mine = new Set(); // steps of this tab; others are those of a tab that was closed, or of one beside it
let sending = null;
let failure = '';

const AWAY = 'The server does not answer: is the command still running? Labels wait in this browser until it is back.';

export async function get(path) {
  const answer = await fetch(path, { cache: 'no-store' }).catch(() => { throw new Error(AWAY); });
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(found.error || `the server answered ${answer.status}`);
  return found;
}

export function onSaving(listener) { listeners.add(listener); }

function tell(event) { for (const listener of listeners) listener(event); }

export function waiting() {
  const steps = [];
  for (let at = 0; at < localStorage.length; at += 1) {
    const key = localStorage.key(at);
    if (key.startsWith(STEP)) steps.push(JSON.parse(localStorage.getItem(key)));
  }
  return steps.sort((one, other) => one.at - other.at);
}

export function ownWaiting() { return waiting().filter((step) => mine.has(step.step)).length; }

let last = 0;
export function save(page, annotator, labels) {
  const step = crypto.randomUUID ? crypto.randomUUID() : Array.from(crypto.getRandomValues(new Uint8Array(16)),
    (byte) => byte.toString(16).padStart(2, '0')).join('');
  last = Math.max(Date.now(), last + 0.001);
  mine.add(step);
  localStorage.setItem(STEP + step, JSON.stringify({ page, annotator, step, labels, at: last }));
  send();
}

export function send() {
  sending ||= sendAll().finally(() => { sending = null; });
  return sending;
}

async function sendAll() {
  for (;;) {
    const steps = waiting();
    if (!steps.length) break;
    tell({ waits: steps.length, failure });
    try {
      const answer = await post(`/api/page/${steps[0].page}/labels`, steps[0]);
      if (answer.status === 403) { await renew(); continue; }
      const said = await answer.json();
      if (answer.status >= 500) throw new Error(said.error);
      localStorage.removeItem(STEP + steps[0].step);
      failure = '';
      tell({ step: steps[0], isMine: mine.has(steps[0].step), refused: answer.ok ? null : said.error, ...said, waits: steps.length - 1 });
    } catch (error) {
      failure = error instanceof TypeError ? AWAY : String(error.message || error);
      tell({ waits: steps.length, failure });
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}

async function renew() {
  const session = await get('/api/session');
  if (session.token === token) throw new Error('the server refuses this page: load it again');
  token = session.token;
}

export function post(path, body) {
  return fetch(path, {
    method: 'POST', keepalive: true, headers: { 'Content-Type': 'application/json', 'X-Parcels-Token': token },
    body: JSON.stringify(body),
  });
}

window.addEventListener('online', () => send());
window.addEventListener('pagehide', () => {
  for (const step of waiting().slice(0, 20)) post(`/api/page/${step.page}/labels`, step).catch(() => {});
});
