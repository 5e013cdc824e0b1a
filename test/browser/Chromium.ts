import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Where Debian's Chromium is, or what CHROMIUM names; undefined when it is missing. */
export const findChromium = (): string | undefined =>
  [process.env.CHROMIUM ?? "", ...places].find((path) => path !== "" && existsSync(path))

/** A headless browser that calls nobody on its own. */
export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync"
    ]
  })
