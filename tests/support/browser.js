// What tests ask of pages and let happen on them; support/browser.py hands out the functions by their names.
(() => {
  // Sockets stay reachable for tests, because going offline closes none that is open; what came over them is counted by
  // its type, and the last scene is kept.
  const keepSockets = () => {
    window.sockets = [];
    window.received = {};
    window.WebSocket = class extends WebSocket {
      constructor(...given) {
        super(...given);
        window.sockets.push(this);
        this.addEventListener("message", ({ data }) => {
          const message = JSON.parse(data);
          window.received[message.type] = (window.received[message.type] ?? 0) + 1;
          if (message.type === "scene") window.latest = message;
        });
      }
    };
  };

  // Whether the board is drawn in the shape that fits the window.
  const inShape = () => {
    const { width, height } = document.querySelector("#board svg").viewBox.baseVal;
    return (width > height) === matchMedia("(min-width: 900px) and (orientation: landscape)").matches;
  };

  // Whether the server has answered over the socket, the board fits the window, and there is a move to choose or the game
  // is over: then nothing changes until somebody does something.
  const ready = () => {
    const offered = document.getElementById("move-picker")?.hidden === false;
    return window.received.scene > 0 && inShape() && (offered || document.body.classList.contains("over"));
  };

  // Whether a move waits for a confirmation, or was played at once.
  const pendingOrPlayed = (was) => {
    const moved = document.getElementById("where").textContent !== was;
    return moved || !document.getElementById("pending").hidden;
  };

  // Where elements lie in the page, however far it is scrolled.
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => {
    const box = element.getBoundingClientRect();
    return { left: box.left + scrollX, top: box.top + scrollY, right: box.right + scrollX, bottom: box.bottom + scrollY };
  });

  const box = (selector) => boxes(selector)[0];

  // A point on the board where a click would mean this part, or null where something else always lies above.
  const point = (element) => {
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const box = element.getBoundingClientRect();
    for (const [x, y] of [[.5, .5], [.5, .2], [.5, .8], [.2, .5], [.8, .5], [.3, .3], [.7, .7], [.3, .7], [.7, .3]]) {
      const at = [box.left + box.width * x, box.top + box.height * y];
      if (!document.elementFromPoint(...at)?.closest("#board")) continue;
      const lit = document.elementsFromPoint(...at).map((other) => other.closest("[data-part]"))
        .find((other) => other && other.matches(".glow, .picked-part"));
      if (lit && lit.dataset.part === element.dataset.part) return at;
    }
    return null;
  };

  // The parts that glow and lie under others everywhere, unless those are ghosts, which say more precisely what is meant.
  const coveredParts = () => {
    const glowing = [...document.querySelectorAll(".board .glow")];
    const haunted = (element) => {
      const box = element.getBoundingClientRect();
      const there = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const lit = there.find((other) => other.matches(".glow"));
      return !element.dataset.part.startsWith("ghost-") && lit?.dataset.part?.startsWith("ghost-");
    };
    const names = [...new Set(glowing.map((element) => element.dataset.part))];
    return names.filter((name) => !glowing.some((element) =>
      element.dataset.part === name && (point(element) || haunted(element))));
  };

  // The targets that are shown though a click on them would no longer fit what was chosen.
  const strayTargets = () => [...document.querySelectorAll(".board .targets use:not(.glow, .picked-part)")]
    .map((target) => target.dataset.part);

  // Such a point on any element of a part.
  const pointOfPart = (part) => {
    for (const element of document.querySelectorAll(`.board [data-part="${part}"]`)) {
      const found = point(element);
      if (found) return found;
    }
    return null;
  };

  // Leaves of many sections only those with an element of a kind that none before has, by its tags and classes.
  const oneOfEachKind = (selector) => {
    const seen = new Set();
    const kind = (element, root) => element === root ? ""
      : `${kind(element.parentElement, root)} ${element.tagName}.${element.className}`;
    for (const section of document.querySelectorAll(selector)) {
      const kinds = [...section.querySelectorAll("*")].map((element) => kind(element, section));
      if (kinds.every((each) => seen.has(each))) section.remove();
      for (const each of kinds) seen.add(each);
    }
  };

  // Gives the page the other theme, or the one it had.
  const changeTheme = (theme) => {
    const { dataset } = document.documentElement, was = dataset.theme ?? "";
    dataset.theme = theme || (was === "dark" ? "light" : "dark");
    return was || "light";
  };

  const imaginePushService = ([endpoint, keys]) => {
    let subscription = null;
    PushManager.prototype.getSubscription = async () => subscription;
    PushManager.prototype.subscribe = async (options) => {
      const key = atob(options.applicationServerKey.replaceAll("-", "+").replaceAll("_", "/"));
      const bytes = Uint8Array.from(key, (letter) => letter.charCodeAt(0));
      subscription = {
        endpoint,
        options: { applicationServerKey: bytes.buffer },
        unsubscribe: async () => { subscription = null; return true; },
        toJSON: () => ({ endpoint, keys }),
      };
      return subscription;
    };
  };

  const overlapping = () => [...document.querySelectorAll(".curve.narrow > g > circle")]
    .map((mark) => mark.getBoundingClientRect())
    .filter((one, at, all) => all.some((other, place) => place < at
      && Math.hypot(one.x - other.x, one.y - other.y) < 0.95 * one.width)).length;

  // Of either ghost of the trio, whether all its figures lie on its plate.
  const onThePlate = () => ["ghost-trio-left", "ghost-trio-right"].map((part) => {
    const drawn = [...document.querySelectorAll(`.targets [data-part="${part}"]`)];
    const boxes = drawn.map((use) => use.getBoundingClientRect());
    const [plate, ...figures] = boxes.sort((one, two) => two.width - one.width);
    return figures.every(({ left, right }) => left > plate.left && right < plate.right);
  });

  // The spaces to which one move alone leads.
  const loneSpaces = () => {
    const all = window.latest.moves.flatMap((move) => move.parts);
    return all.filter((part) => part.startsWith("space-") && all.indexOf(part) === all.lastIndexOf(part));
  };

  // A point 30 pixels beside what can be clicked, on another part, but on none that is only clicked on purpose.
  const beside = () => {
    const lit = [...document.querySelectorAll(".board .glow")].map((part) => part.getBoundingClientRect());
    const away = (x, y) => Math.min(...lit.map(({ left, right, top, bottom }) =>
      Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))));
    const free = (x, y) => document.elementsFromPoint(x, y).some((part) => part.closest(".board [data-part]"))
      && !document.elementsFromPoint(x, y).some((part) => part.closest("[data-exact]"));
    const points = lit.flatMap(({ left, right, top, bottom }) => [[(left + right) / 2, top - 30],
      [(left + right) / 2, bottom + 30], [left - 30, (top + bottom) / 2], [right + 30, (top + bottom) / 2]]);
    return points.find(([x, y]) => away(x, y) > 29 && free(x, y));
  };

  // A page in the background that records its sounds and notifications.
  const goOutOfSight = () => {
    window.rung = 0; window.shown = [];
    Object.defineProperty(document, "hidden", { get: () => true });
    const Real = window.AudioContext;
    window.AudioContext = class extends Real { constructor() { super(); window.rung += 1; } };
    window.Notification = class extends EventTarget {
      static permission = "granted";
      constructor(title, more) { super(); window.shown.push([title, more.body]); }
    };
  };

  // Buttons and lines of the action bar whose text does not fit into them, or that stick out of the bar; choices that lie
  // over the lower edge of the window are in no bar.
  const cutOff = () => {
    const bar = document.getElementById("bar").getBoundingClientRect();
    const seen = [...document.querySelectorAll("#bar p, #bar button")]
      .filter((element) => element.offsetHeight > 1 && !element.closest(".sheet"));
    return seen.filter((element) => {
      const box = element.getBoundingClientRect();
      const inside = box.top >= bar.top - 1 && box.bottom <= bar.bottom + 1;
      const scrolls = getComputedStyle(element).overflowY === "auto";
      return !inside || (element.scrollHeight > element.clientHeight + 2 && !scrolls);
    }).map((element) => element.outerHTML);
  };

  // Where the board lies while each of the elements that come and go is shown with much text.
  const fillOneByOne = () => Object.fromEntries([...document.querySelectorAll("#toasts > *, .said > *, .actions > *, .tools > *")].map((element) => {
    const was = [element.hidden, element.innerHTML];
    element.hidden = false;
    if (!element.children.length) element.textContent = "A long text that takes several lines. ".repeat(9);
    const at = box("#board");
    [element.hidden, element.innerHTML] = was;
    return [element.id, at];
  }));

  // The parts that glow and of which nothing is in the window.
  const glowingOutOfSight = () => {
    const glowing = [...document.querySelectorAll(".board .glow")];
    return new Promise((resolve) => {
      const observer = new IntersectionObserver((entries) => {
        resolve(entries.filter((entry) => entry.intersectionRatio === 0).map((entry) => entry.target.dataset.part));
      });
      glowing.forEach((element) => observer.observe(element));
      if (!glowing.length) resolve(["nothing glows"]);
    });
  };

  const showNotices = (names) => {
    for (const name of names) document.getElementById(name).hidden = false;
    document.querySelector("#proposal p").textContent = "Anna asks to undo their last decision. Waiting for: you.";
    document.querySelector("#rematch-asked p").textContent = "Anna wants a rematch.";
  };

  const lastInSight = () => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    return box("#log li:last-child").bottom <= box("#goal").top + 1;
  };

  const places = () => ["#skip", "#board", "#move-picker"].map(box);

  const pointerCoversTarget = () => {
    const pointer = document.getElementById("pointer").getBoundingClientRect();
    const target = document.querySelector(".board .glow").getBoundingClientRect();
    return pointer.bottom > target.top && target.bottom > pointer.top;
  };

  // The parts that glow, each with several moves to choose from.
  const several = () => {
    const glowing = [...document.querySelectorAll(".board .glow")].map((element) => element.dataset.part);
    const moves = (part) => window.latest.moves.filter(({ parts }) => parts.includes(part));
    return [...new Set(glowing)].filter((part) => moves(part).length > 1);
  };

  // A figure that cannot be clicked, on a space that can: where to click it.
  const unlitFigure = () => {
    for (const figure of document.querySelectorAll('.board .pieces [data-part^="figure-"]:not(.glow, .picked-part)')) {
      const { left, top, width, height } = figure.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const there = document.elementsFromPoint(x, y).map((element) => element.closest("[data-part]")).filter(Boolean);
      if (there[0] === figure && there.some((element) => element.matches('.glow[data-part^="space-"]'))) return [x, y];
    }
    return null;
  };

  // Plays a table to its end over a socket of the page, always the first move that is offered.
  const playToTheEnd = (table) => new Promise((resolve, reject) => {
    const socket = new WebSocket(`${table}/socket`);
    let last = -1;
    socket.addEventListener("open", () => socket.send(JSON.stringify({ sync: true })));
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "error") reject(new Error(message.text));
      if (message.type !== "scene" || message.event === last) return;
      last = message.event;
      if (!message.live) { socket.close(); resolve(message.event); }
      else if (message.moves.length) {
        socket.send(JSON.stringify({ play: message.moves[0].line, event: last, id: `${last}` }));
      }
    });
  });

  // A service worker that has something to do stays, for minutes in Chromium.
  const keepBusy = () => {
    const busy = new Promise((resolve) => { self.answer = resolve; });
    self.addEventListener("message", (event) => event.waitUntil(busy));
  };

  // Records the captions in the order they appear, and whether moves were offered with them.
  const noteCaptions = () => {
    document.addEventListener("readystatechange", () => {
      const caption = document.getElementById("caption");
      if (window.told || !caption) return;
      window.told = [];
      const offered = () => !document.getElementById("move-picker").hidden;
      new MutationObserver(() => window.told.push([caption.textContent, offered()])).observe(caption, { childList: true });
    });
  };

  // Records the pitch of every note.
  const noteNotes = () => {
    window.heard = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...at) {
      window.heard.push(this.frequency.value);
      start.apply(this, at);
    };
  };

  // What is said above the board while the past is shown, once each.
  const noteRetold = () => {
    window.retold = [];
    new MutationObserver(() => {
      const past = document.getElementById("past"), text = past.firstElementChild.textContent;
      if (!past.hidden && !window.retold.includes(text)) window.retold.push(text);
    }).observe(document.getElementById("past"), { subtree: true, childList: true, attributes: true });
  };

  const shownNotifications = () => navigator.serviceWorker.ready.then((found) => found.getNotifications())
    .then((shown) => shown.map(({ title, body, tag, data }) => ({ title, body, tag, data })));

  // What a browser does with windows needs a person who clicks, so it is only noted here.
  const noteWindows = () => {
    self.done = [];
    Clients.prototype.openWindow = async (path) => self.done.push(`opened ${path}`);
    WindowClient.prototype.focus = async function () { self.done.push(`showed ${new URL(this.url).pathname}`); };
  };

  const clickNotification = async (link) => {
    const event = new Event("notificationclick");
    event.notification = { data: link, close: () => self.done.push("closed") };
    const answered = new Promise((settle) => { event.waitUntil = settle; });
    self.dispatchEvent(event);
    await answered;
    return self.done.splice(0);
  };

  // What the worker does with an event of a browser that cannot be made to happen; what it would show is returned.
  const happen = async ([kind, more]) => {
    const shown = [];
    registration.showNotification = async (title, { body, renotify }) => { shown.push([title, body, renotify]); };
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => ({ ...more.next, key: applicationServerKey });
    const event = Object.assign(new Event(kind), more);
    let done;
    event.waitUntil = (promise) => { done = promise; };
    self.dispatchEvent(event);
    await done;
    return shown;
  };

  // Whether the middle of something can be clicked.
  const uncovered = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return document.elementsFromPoint(left + width / 2, top + height / 2)[0]?.closest("#board") !== null;
  };

  // How long the page waits before it tries again, which takes hardly any time here.
  const keepWaits = () => {
    window.waits = [];
    const later = window.setTimeout;
    window.setTimeout = (what, ms, ...more) => {
      if (!String(what).includes("this.open()")) return later(what, ms, ...more);
      window.waits.push(ms);
      return later(what, 1, ...more);
    };
  };

  // Everything on the board, piece by piece from the lowest to the topmost, and everything that is said beside it.
  const everythingSeen = () => [
    ...[...document.querySelectorAll("#board g.pieces > *")].map((piece) =>
      [piece.dataset.piece, piece.getAttribute("href"), piece.style.transform, piece.textContent].join(" ")),
    ...["panels", "log", "status", "where", "moves"].map((name) => document.getElementById(name).textContent),
  ];

  // Records the positions the page shows, from its first script on.
  const notePositions = () => {
    document.addEventListener("readystatechange", () => {
      if (window.positions) return;
      window.positions = [];
      const where = document.getElementById("where");
      new MutationObserver(() => window.positions.push(parseInt(where.textContent))).observe(where, { childList: true });
    });
  };

  // A point in a random element of a kind, or null.
  const randomPoint = ([kind, at]) => {
    const inside = (box) => {
      const [x, y] = [box.left + box.width * (.1 + .8 * at[1]), box.top + box.height * (.1 + .8 * at[2])];
      return x > 0 && y > 0 && x < innerWidth && y < innerHeight ? [x, y] : null;
    };
    const found = [...document.querySelectorAll(kind)].filter((element) => element.getClientRects().length);
    if (!found.length) return null;
    const chosen = found[Math.floor(at[0] * found.length)];
    if (chosen.closest("#board")) chosen.scrollIntoView({ block: "nearest", behavior: "instant" });
    return inside(chosen.getBoundingClientRect());
  };

  return {
    keepSockets,
    inShape,
    ready,
    pendingOrPlayed,
    boxes,
    box,
    point,
    coveredParts,
    strayTargets,
    pointOfPart,
    oneOfEachKind,
    changeTheme,
    imaginePushService,
    overlapping,
    onThePlate,
    loneSpaces,
    beside,
    goOutOfSight,
    cutOff,
    fillOneByOne,
    glowingOutOfSight,
    showNotices,
    lastInSight,
    places,
    pointerCoversTarget,
    several,
    unlitFigure,
    playToTheEnd,
    keepBusy,
    noteCaptions,
    noteNotes,
    noteRetold,
    shownNotifications,
    noteWindows,
    clickNotification,
    happen,
    uncovered,
    keepWaits,
    everythingSeen,
    notePositions,
    randomPoint,
  };
})()
