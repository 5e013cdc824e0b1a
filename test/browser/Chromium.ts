import { existsSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { type Browser, type BrowserContext, chromium } from "playwright-core"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Where Debian's Chromium is, or what CHROMIUM names; undefined when it is missing. */
export const findChromium = (): string | undefined =>
  [process.env.CHROMIUM ?? "", ...places].find((path) => path !== "" && existsSync(path))

/** A browser that calls nobody on its own. */
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** A headless browser. */
export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, headless: true, args: quiet })

/** A headless browser of one person, whose profile is in a folder and which a program can drive at a port. */
export const launchAt = async (
  executablePath: string,
  profile: string
): Promise<{ readonly browser: BrowserContext; readonly port: number }> => {
  const port = await freePort()
  const args = [...quiet, `--remote-debugging-port=${port}`]
  return { browser: await chromium.launchPersistentContext(profile, { executablePath, headless: true, args }), port }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
