// The annotator's name: asked for once per tab, changed at any time. Waiting steps keep the name they were made under.
const element = (id) => document.getElementById(id);
const [NOW, LAST, KNOWN] = ['parcels-annotator', 'parcels-annotator', 'parcels-annotators'];
const MOST_KNOWN = 12;

export async function currentName() {
  const [, mode, given] = location.hash.split('/');
  if (mode === 'label' && given) sessionStorage.setItem(NOW, decodeURIComponent(given));
  return sessionStorage.getItem(NOW) || askName(false);
}

// Asks for a name; returns null where the dialog is cancelled.
export async function askName(canCancel) {
  const dialog = element('ask-name');
  element('names').replaceChildren(...known().map((name) => new Option(name)));
  element('name').value = canCancel ? '' : localStorage.getItem(LAST) || '';
  element('keep-name').hidden = !canCancel;
  const refuse = (event) => { if (!canCancel) event.preventDefault(); };
  dialog.addEventListener('cancel', refuse);
  dialog.returnValue = '';
  dialog.showModal();
  await new Promise((done) => { dialog.addEventListener('close', done, { once: true }); });
  dialog.removeEventListener('cancel', refuse);
  if (dialog.returnValue !== 'begin') return null;
  return keep(element('name').value);
}

function keep(given) {
  const name = given.normalize('NFC').trim().split(/\s+/u).join(' ');
  sessionStorage.setItem(NOW, name);
  localStorage.setItem(LAST, name);
  localStorage.setItem(KNOWN, JSON.stringify([name, ...known().filter((one) => one !== name)].slice(0, MOST_KNOWN)));
  if (location.hash) history.replaceState(null, '', `${location.pathname}${location.search}#/label/${encodeURIComponent(name)}`);
  return name;
}

function known() { return JSON.parse(localStorage.getItem(KNOWN) || '[]'); }
