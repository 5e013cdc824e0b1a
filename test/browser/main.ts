import type { AddressInfo } from "node:net"
import { findChromium, launch } from "./Chromium.ts"
import { dashboardStory } from "./DashboardStory.ts"
import { startProduct } from "./Product.ts"
import { makeReceiver } from "./Receiver.ts"
import type { Stage } from "./Scene.ts"
import { jobsStory, pictureStory, ratingStory } from "./ShopStory.ts"
import { makeSteps } from "./Steps.ts"

// `npm run test:browser`: the dashboard in headless Chromium, scripts switched off, over the product as it starts, then the
// ten jobs by their clicks over another one; `-- --jobs` does these alone. `-- --lighthouse` rates the main pages of a shop
// and does nothing else, `-- --lighthouse=chat,dashboard` those whose addresses end in a word. `-- --images` takes the pictures of docs/images anew and nothing else, `-- --images=chat,overview-375`
// those whose names hold a word. The last line counts what held.

/** Words that a flag narrows its work by, none for all of it; undefined where the flag is missing. */
const wordsOf = (name: string): ReadonlyArray<string> | undefined => {
  const flag = process.argv.find((word) => word === name || word.startsWith(`${name}=`))
  return flag
    ?.slice(name.length + 1)
    .split(",")
    .filter(Boolean)
}

const stories = (): ReadonlyArray<(stage: Stage) => Promise<void>> => {
  const pictures = wordsOf("--images")
  if (pictures !== undefined) return [(stage) => pictureStory(stage, pictures)]
  const rated = wordsOf("--lighthouse")
  if (rated !== undefined) return [(stage) => ratingStory(stage, rated)]
  return process.argv.includes("--jobs") ? [jobsStory] : [dashboardStory, jobsStory]
}

const main = async (): Promise<number> => {
  const executable = findChromium()
  if (executable === undefined) {
    process.stderr.write("Chromium is missing; install it: apt-get install -y chromium\n")
    return 1
  }
  const receiver = makeReceiver()
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  const hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const steps = makeSteps()
  const browser = await launch(executable)
  try {
    for (const story of stories()) {
      if (steps.failed()) break
      await fetch(`${hooks}/moody/down`)
      const product = await startProduct({
        CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: hooks,
        CARTEIRO_WEBHOOK_RETRY_SANDBOX: "0s,1h",
        CARTEIRO_SANDBOX_STATUS_DELAY_MS: "0"
      })
      await story({ product, browser, hooks, steps }).finally(product.stop)
    }
  } finally {
    await browser.close()
    receiver.close()
  }
  process.stdout.write(`${steps.summary()}\n`)
  return steps.failed() ? 1 : 0
}

process.exitCode = await main()
