"""What the site says before its first page can be shown."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

SHELL: Final = {
    "downloading": mark("Downloading the games …"),
    "starting": mark("Starting …"),
    "no_download": mark("The download failed. Check your connection and reload the page."),
    "no_space": mark("There is not enough space on this device. Free some, then reload the page."),
    "lost": mark("This page could not be shown. Reload the page to try again."),
    "failed": mark("The games could not be started. Reload the page to try again."),
    "unsupported": mark("This browser cannot run the games. Use a recent one, and open the page with https."),
}
