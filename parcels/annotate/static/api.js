// Requests to the server. A step stays in the browser's own storage until the server confirms that it is on disk, so that
// neither a closed tab nor an unreachable server loses it.

let token = document.querySelector('meta[name="parcels-token"]').content;
const STEP = 'parcels-step:';
const RETRY_MS = 1500;
const listeners = new Set();
const mine = new Set(); // steps of this tab; others come from other tabs, open or closed
let sending = null;
let failure = '';

const AWAY = 'The server does not respond. Check that the command is still running. Unsaved labels are kept in this browser.';

export async function get(path) {
  const response = await fetch(path, { cache: 'no-store' }).catch(() => { throw new Error(AWAY); });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.error || `The server returned status ${response.status}.`);
  return body;
}

export function onSaving(listener) { listeners.add(listener); }

function notify(event) { for (const listener of listeners) listener(event); }

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
    notify({ waits: steps.length, failure });
    try {
      const response = await post(`/api/page/${steps[0].page}/labels`, steps[0]);
      if (response.status === 403) { await renew(); continue; }
      const body = await response.json();
      if (response.status >= 500) throw new Error(body.error);
      localStorage.removeItem(STEP + steps[0].step);
      failure = '';
      notify({ step: steps[0], isMine: mine.has(steps[0].step), refused: response.ok ? null : body.error, ...body,
        waits: steps.length - 1 });
    } catch (error) {
      failure = error instanceof TypeError ? AWAY : String(error.message || error);
      notify({ waits: steps.length, failure });
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}

async function renew() {
  const session = await get('/api/session');
  if (session.token === token) throw new Error('The server rejects the token of this page. Reload the page.');
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
