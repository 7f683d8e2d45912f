// Runs in a world of its own beside the page's scripts; its names are not the page's to change.
globalThis.fengyu ||= (() => {
  const elements = new Map();
  const numbers = new WeakMap();
  let next = 1;

  const INTERACTIVE =
    'a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],' +
    '[role=radio],[role=tab],[role=menuitem],[role=option],[role=combobox],[role=textbox],' +
    '[role=switch],[contenteditable=""],[contenteditable=true],[onclick],[tabindex]';
  const SKIPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'META', 'LINK']);
  const ROLES = {
    A: 'link', BUTTON: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', IMG: 'image',
    UL: 'list', OL: 'list', LI: 'listitem', TABLE: 'table', TR: 'row', TH: 'columnheader',
    TD: 'cell', NAV: 'navigation', MAIN: 'main', FORM: 'form', SUMMARY: 'button',
    H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading',
    DIALOG: 'dialog', ARTICLE: 'article', HEADER: 'banner', FOOTER: 'contentinfo',
  };

  const visible = (element) => {
    const style = getComputedStyle(element);
    if (style.visibility === 'hidden' || style.display === 'none') return false;
    if (style.display === 'contents') return true;
    const box = element.getBoundingClientRect();
    return (box.width > 0 && box.height > 0) || element.childElementCount > 0;
  };

  const ref = (element) => {
    let number = numbers.get(element);
    if (number === undefined || !elements.has(number)) {
      number = next++;
      numbers.set(element, number);
      elements.set(number, element);
    }
    return 'e' + number;
  };

  const cut = (text, most) => (text.length > most ? text.slice(0, most) + '…' : text);
  const words = (text) => text.replace(/\s+/g, ' ').trim();

  const role = (element) => {
    const given = element.getAttribute('role');
    if (given) return given;
    if (element.tagName === 'INPUT') {
      const type = element.type;
      if (type === 'checkbox' || type === 'radio') return type;
      return ['button', 'submit', 'reset', 'image'].includes(type) ? 'button' : 'textbox';
    }
    return ROLES[element.tagName] || '';
  };

  // The text around the fields in it.
  const own = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.matches?.('select,textarea,script,style')) return '';
    return [...node.childNodes].map(own).join('');
  };

  const name = (element) => {
    const labelled = element.getAttribute('aria-labelledby');
    if (labelled) {
      const texts = labelled.split(/\s+/).map((id) => document.getElementById(id)?.innerText || '');
      if (words(texts.join(' '))) return words(texts.join(' '));
    }
    const label = element.getAttribute('aria-label') || (element.labels?.[0] && own(element.labels[0]));
    if (label && words(label)) return words(label);
    if (element.tagName === 'IMG') return words(element.alt || '');
    if (element.tagName === 'INPUT' && ['submit', 'button', 'reset'].includes(element.type)) {
      return element.value;
    }
    if (['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName)) {
      return words(element.placeholder || element.title || element.name || '');
    }
    return words(element.innerText || element.textContent || element.title || '');
  };

  const state = (element) => {
    const all = [];
    if (/^H[1-6]$/.test(element.tagName)) all.push('level=' + element.tagName[1]);
    if (element.checked === true) all.push('checked');
    if (element.disabled === true) all.push('disabled');
    if (element === document.activeElement) all.push('focused');
    const expanded = element.getAttribute('aria-expanded');
    if (expanded) all.push('expanded=' + expanded);
    if (element.tagName === 'SELECT') {
      all.push('selected=' + JSON.stringify([...element.selectedOptions].map((o) => words(o.label))));
      all.push('options=' + JSON.stringify([...element.options].slice(0, 30).map((o) => words(o.label))));
    } else if (element.type === 'password') {
      if (element.value) all.push('value=***');
    } else if (['INPUT', 'TEXTAREA'].includes(element.tagName) && role(element) === 'textbox') {
      if (element.value) all.push('value=' + JSON.stringify(cut(element.value, 200)));
    }
    return all;
  };

  const interactive = (element) => element.matches(INTERACTIVE);

  const line = (element) => {
    const parts = [role(element) || element.tagName.toLowerCase()];
    const named = cut(name(element), 200);
    if (named) parts.push(JSON.stringify(named));
    if (interactive(element)) parts.push('[ref=' + ref(element) + ']');
    parts.push(...state(element).map((one) => '[' + one + ']'));
    if (element.tagName === 'A' && element.href) parts.push('→ ' + cut(element.href, 300));
    return parts.join(' ');
  };

  const LEAVES = new Set(['link', 'button', 'textbox', 'combobox', 'checkbox', 'radio', 'image',
    'heading', 'option', 'tab', 'menuitem', 'switch']);

  function snapshot(root, most) {
    const lines = [];
    let length = 0;
    let truncated = false;
    const add = (depth, text) => {
      if (length + text.length > most) {
        truncated = true;
        return;
      }
      const whole = '  '.repeat(Math.min(depth, 12)) + '- ' + text;
      length += whole.length + 1;
      lines.push(whole);
    };
    const walk = (node, depth) => {
      if (truncated) return;
      if (node.nodeType === Node.TEXT_NODE) {
        const text = words(node.data);
        if (text) add(depth, 'text ' + JSON.stringify(cut(text, 500)));
        return;
      }
      if (node.nodeType !== Node.ELEMENT_NODE || SKIPPED.has(node.tagName) || !visible(node)) return;
      const kind = role(node);
      const leaf = LEAVES.has(kind) || interactive(node);
      const shown = leaf || kind;
      if (shown) add(depth, leaf ? line(node) : kind);
      if (leaf && !node.querySelector(INTERACTIVE)) return;
      const inside = node.shadowRoot || (node.tagName === 'IFRAME' ? frame(node) : node);
      for (const child of inside ? inside.childNodes : []) walk(child, depth + (shown ? 1 : 0));
    };
    walk(root || document.body || document.documentElement, 0);
    return { text: lines.join('\n'), truncated };
  }

  const frame = (element) => {
    try {
      return element.contentDocument?.body;
    } catch {
      return null;
    }
  };

  const described = (element) => ({ ref: ref(element), description: line(element) });

  function select(element, wanted) {
    if (element.tagName !== 'SELECT') return { error: 'the element is no list of options' };
    const options = [...element.options];
    const chosen = [];
    for (const one of wanted) {
      const option = options.find((o) => o.value === one) || options.find((o) => words(o.label) === words(one));
      if (!option) return { error: 'there is no option ' + one };
      if (option.disabled) return { error: 'the option is disabled: ' + one };
      chosen.push(option);
    }
    if (chosen.length > 1 && !element.multiple) return { error: 'only one option can be chosen' };
    for (const option of options) option.selected = chosen.includes(option);
    element.dispatchEvent(new Event('input', { bubbles: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return { selected: [...element.selectedOptions].map((o) => ({ value: o.value, label: words(o.label) })) };
  }

  return {
    // Numbers go on where those of the page before ended, so that no old one means anything new; a
    // page that comes back from a cache brings this world, and its old numbers, with it.
    begin: (first) => { elements.clear(); next = Math.max(next, first); },
    next: () => next,
    element: (number) => {
      const element = elements.get(number);
      return element && element.isConnected ? element : null;
    },
    snapshot: (most) => snapshot(null, most),
    find: (text, most) => {
      const wanted = text.toLowerCase();
      const found = [];
      for (const element of document.querySelectorAll(INTERACTIVE + ',h1,h2,h3,h4,h5,h6,label,td,th,li,p,span,div')) {
        if (found.length > most) break;
        const own = interactive(element)
          ? name(element) + ' ' + (element.value || '')
          : [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(' ');
        if (element.type !== 'password' && words(own).toLowerCase().includes(wanted) && visible(element)) {
          found.push(described(element));
        }
      }
      return { matches: found.slice(0, most), truncated: found.length > most };
    },
    query: (selector, most) => {
      const all = [...document.querySelectorAll(selector)];
      return { matches: all.slice(0, most).map(described), total: all.length };
    },
    text: (element, most) => {
      const text = (element || document.body || document.documentElement).innerText || '';
      return { text: text.slice(0, most), truncated: text.length > most };
    },
    select,
    clear: (element) => {
      if ('value' in element) {
        element.select?.();
      } else {
        getSelection().selectAllChildren(element);
      }
    },
    editable: (element) =>
      element.isContentEditable || element.tagName === 'TEXTAREA' ||
      (element.tagName === 'INPUT' && role(element) === 'textbox' && !element.disabled && !element.readOnly),
    place: () => ({ url: location.href, title: document.title, state: document.readyState }),
  };
})();
