// @ts-check
// Unpacks an archive (static_site/archives.py) into Python's file system.

/**
 * Write the files of an archive: the length of its index, the index (paths and sizes as JSON), the files one by one.
 * @param {any} FS @param {ArrayBuffer} archive @param {string} folder
 */
export function unpack(FS, archive, folder) {
  const length = new DataView(archive).getUint32(0, true);
  /** @type {[string, number][]} */
  const index = JSON.parse(new TextDecoder().decode(new Uint8Array(archive, 4, length)));
  let at = 4 + length;
  let last = "";
  for (const [path, size] of index) {
    const parent = folder + path.slice(0, path.lastIndexOf("/") + 1);
    if (parent !== last) FS.mkdirTree(parent);
    last = parent;
    FS.writeFile(folder + path, new Uint8Array(archive, at, size), { canOwn: true });
    at += size;
  }
}
