// @ts-check
// Starts Python in a web worker: Pyodide, its standard library, and the packages of this site.
// @ts-ignore: it comes from the npm package
import { loadPyodide } from "./pyodide.mjs";
import { unpack } from "./unpack.mjs";

const HERE = new URL("./", import.meta.url).href;

/** Start Python with the packages of this site; the result is Pyodide's own object. */
export function startPython() {
  const packages = fetch(`${HERE}packages.bin`).then((response) => response.arrayBuffer());
  return loadPyodide({
    indexURL: HERE,
    env: { PYTHONDONTWRITEBYTECODE: "1", PYTHONOPTIMIZE: "2" },
    fsInit: async (/** @type {any} */ FS, /** @type {any} */ { sitePackages }) => unpack(FS, await packages, `${sitePackages}/`),
  });
}
