// @ts-check
// On every page of a site without a server: sockets lead to Python in this browser, and links stay in the site's folder.
{
  const ROOT = new URL("./", navigator.serviceWorker.controller?.scriptURL ?? location.origin).pathname;
  const KEPT = 60_000; // ms, until what was downloaded has been written
  const channel = new BroadcastChannel(`omnibus ${ROOT}`);
  /** @type {Map<string, PageSocket>} */
  const sockets = new Map();

  /** What a page uses of a WebSocket. */
  class PageSocket extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 3;

    /** @param {string|URL} address */
    constructor(address) {
      super();
      const { pathname, search } = new URL(address, location.href);
      this.readyState = PageSocket.CONNECTING;
      this.id = crypto.randomUUID();
      sockets.set(this.id, this);
      const path = pathname.startsWith(ROOT) ? `/${pathname.slice(ROOT.length)}` : pathname;
      const headers = [["accept-language", navigator.languages.join(",")], ["user-agent", navigator.userAgent]];
      channel.postMessage({ type: "open", id: this.id, path: path + search, headers });
    }

    /** @param {string} text */
    send(text) {
      channel.postMessage({ type: "said", id: this.id, text });
    }

    close() {
      channel.postMessage({ type: "closed", id: this.id });
      this.end(1000);
    }

    /** @param {string} kind @param {any} value */
    receive(kind, value) {
      if (kind === "accept") {
        this.readyState = PageSocket.OPEN;
        this.dispatchEvent(new Event("open"));
      } else if (kind === "text") this.dispatchEvent(new MessageEvent("message", { data: value }));
      else this.end(value);
    }

    /** @param {number} code */
    end(code) {
      sockets.delete(this.id);
      this.readyState = PageSocket.CLOSED;
      this.dispatchEvent(new CloseEvent("close", { code }));
    }
  }

  channel.onmessage = ({ data }) => {
    if (data.type === "socket") sockets.get(data.id)?.receive(data.kind, data.value);
    if (data.type === "started") for (const socket of [...sockets.values()]) socket.end(1006); // of the server before it
  };
  addEventListener("pagehide", () => { for (const id of sockets.keys()) channel.postMessage({ type: "closed", id }); });
  addEventListener("pageshow", (event) => { if (event.persisted) for (const socket of [...sockets.values()]) socket.end(1006); });
  Object.assign(window, { WebSocket: PageSocket });

  /** Download what a link leads to: browsers do not ask the service worker for it. @param {HTMLAnchorElement} link */
  async function download({ href, download: name }) {
    const made = URL.createObjectURL(await (await fetch(href)).blob());
    Object.assign(document.createElement("a"), { href: made, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(made), KEPT);
  }

  /** Pages link to paths of the server; the site may be in a folder. @param {Element} element @param {string} name */
  const keepInside = (element, name) => {
    const url = new URL(element.getAttribute(name) ?? "", location.href);
    if (url.origin === location.origin && !url.pathname.startsWith(ROOT)) element.setAttribute(name, ROOT + url.href.slice(location.origin.length + 1));
  };
  for (const kind of ["pointerover", "focusin", "click", "auxclick", "contextmenu"]) {
    addEventListener(kind, (event) => {
      const link = event.target instanceof Element && event.target.closest("a[href]");
      if (link) keepInside(link, "href");
    }, true);
  }
  addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement|null} */ (event.target instanceof Element && event.target.closest("a[download]"));
    if (!link || link.protocol === "blob:") return;
    event.preventDefault();
    download(link);
  });
  addEventListener("submit", (event) => {
    keepInside(/** @type {Element} */ (event.target), "action");
    if (event.submitter?.hasAttribute("formaction")) keepInside(event.submitter, "formaction");
  }, true);
}
