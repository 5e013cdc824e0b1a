import type { AddressInfo } from "node:net"
import { findChromium, launch } from "./Chromium.ts"
import { dashboardStory, guidePictures } from "./DashboardStory.ts"
import { startProduct } from "./Product.ts"
import { makeReceiver } from "./Receiver.ts"
import { makeSteps } from "./Steps.ts"

// `npm run test:browser`: the dashboard in headless Chromium, scripts switched off, over the product as it starts.
// With `-- --images` the pictures of the guides are taken anew, with `-- --images=overview-dark,…` those named, into
// docs/images. With `-- --lighthouse` the main pages are rated too. The last line counts what held.

const pictures = (): ReadonlyArray<string> => {
  const flag = process.argv.find((word) => word === "--images" || word.startsWith("--images="))
  return flag === undefined ? [] : flag === "--images" ? guidePictures : flag.slice("--images=".length).split(",")
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
  const product = await startProduct({
    CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: hooks,
    CARTEIRO_WEBHOOK_RETRY_SANDBOX: "0s,1h",
    CARTEIRO_SANDBOX_STATUS_DELAY_MS: "0"
  })
  const browser = await launch(executable)
  try {
    await dashboardStory({
      product,
      browser,
      hooks,
      steps,
      images: pictures(),
      rates: process.argv.includes("--lighthouse")
    })
  } finally {
    await browser.close()
    await product.stop()
    receiver.close()
  }
  process.stdout.write(`${steps.summary()}\n`)
  return steps.failed() ? 1 : 0
}

process.exitCode = await main()
