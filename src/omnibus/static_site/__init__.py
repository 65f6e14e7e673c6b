"""The site without a server: the same Python answers the same pages inside the browser (docs/offline.md)."""
