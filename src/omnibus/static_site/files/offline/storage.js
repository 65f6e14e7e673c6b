// @ts-check
// Keeps a folder of Python's file system in IndexedDB: of each file the blocks that have changed, all in one transaction.

const BLOCK = 4096; // bytes, as in SQLite
const SIZE = -1; // in place of a block's number

/** Say what went wrong as an Error: of a DOMException Python makes no exception, and waits for ever. @param {any} why */
const failure = (why) => new Error(why ? `${why.name}: ${why.message}` : "not saved");

/** @param {IDBRequest} request @returns {Promise<any>} */
const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(failure(request.error));
});

/** @param {string} name @returns {Promise<IDBDatabase>} */
function open(name) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore("blocks");
  return result(request);
}

/** Wait until a transaction has been written. @param {IDBTransaction} transaction */
const completed = (transaction) => new Promise((resolve, reject) => {
  transaction.oncomplete = resolve;
  transaction.onabort = () => reject(transaction.error);
});

/** A folder, and what was last saved of it. */
export class Storage {
  /** Put what was saved under a name into a folder. @param {any} FS @param {string} folder @param {string} name */
  static async load(FS, folder, name) {
    const storage = new Storage(FS, folder, await open(name));
    const blocks = storage.database.transaction("blocks").objectStore("blocks");
    const [keys, values] = await Promise.all([result(blocks.getAllKeys()), result(blocks.getAll())]);
    keys.forEach((/** @type {[string, number]} */ [file, number], /** @type {number} */ at) => {
      if (number === SIZE) storage.saved.set(file, new Uint8Array(values[at]));
    });
    keys.forEach((/** @type {[string, number]} */ [file, number], /** @type {number} */ at) => {
      if (number !== SIZE) storage.saved.get(file)?.set(values[at], number * BLOCK);
    });
    FS.mkdirTree(folder);
    storage.restore();
    return storage;
  }

  /** @param {any} FS @param {string} folder @param {IDBDatabase} database */
  constructor(FS, folder, database) {
    this.FS = FS;
    this.folder = folder;
    this.database = database;
    /** @type {Map<string, Uint8Array>} */ this.saved = new Map();
  }

  /** Put the files back as they were last saved. */
  restore() {
    for (const file of this.files()) this.FS.unlink(`${this.folder}/${file}`);
    for (const [file, bytes] of this.saved) this.FS.writeFile(`${this.folder}/${file}`, bytes);
  }

  /** Save what has changed, all of it or nothing; done when the browser has written it. */
  async save() {
    /** @type {IDBTransaction|undefined} */ let transaction;
    try {
      transaction = this.database.transaction("blocks", "readwrite", { durability: "strict" });
      const blocks = transaction.objectStore("blocks");
      /** @type {Map<string, Uint8Array>} */ const now = new Map();
      for (const file of this.files()) now.set(file, this.saveFile(file, blocks));
      await completed(transaction);
      this.saved = now;
    } catch (why) {
      try { transaction?.abort(); } catch { /* it has ended */ }
      throw failure(why);
    }
  }

  /** Save what has changed in a file; return what it holds. @param {string} file @param {IDBObjectStore} blocks */
  saveFile(file, blocks) {
    const bytes = this.FS.readFile(`${this.folder}/${file}`);
    const before = this.saved.get(file) ?? new Uint8Array(0);
    for (let at = 0; at < bytes.length; at += BLOCK) {
      const block = bytes.subarray(at, at + BLOCK);
      if (!same(block, before.subarray(at, at + BLOCK))) blocks.put(block.slice(), [file, at / BLOCK]);
    }
    if (bytes.length !== before.length) blocks.put(bytes.length, [file, SIZE]);
    if (bytes.length < before.length) blocks.delete(IDBKeyRange.bound([file, Math.ceil(bytes.length / BLOCK)], [file, Infinity]));
    return bytes;
  }

  /** @returns {string[]} */
  files() {
    return this.FS.readdir(this.folder).filter((/** @type {string} */ name) => !name.startsWith("."));
  }
}

/** @param {Uint8Array} one @param {Uint8Array} other */
function same(one, other) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
