import { strict as assert } from "node:assert"
import type { Product } from "../Product.ts"
import { press, type Scene } from "../Scene.ts"

const device = "/v1/agent-api-key-device-authorizations"

/** A device is approved; a wrong code is told. */
export const devices = async ({ call, main, page, product, steps, views }: Scene): Promise<void> => {
  await steps.step("approves a device while its client polls A-DEV-18 A-DEV-19", async () => {
    const asked = {
      client_name: "Terminal of <b>Ana</b>",
      environment: "sandbox",
      scopes: ["messages:read", "messages:write", "webhooks:read"]
    }
    const started = (await call("POST", device, { body: asked })).body as Record<string, string>
    const token = polled(product, started.device_code ?? "")
    const address = new URL(started.verification_uri_complete ?? "")
    await views.look("device", `${address.pathname}${address.search}`)
    await page.goto(address.href)
    assert.match(await main(), /Terminal of <b>Ana<\/b>/)
    await page.getByLabel("webhooks:read").uncheck()
    await press(page.getByRole("button", { name: "Approve" }))
    assert.match(await main(), /Approved/)
    const issued = (await token) as {
      readonly secret: string
      readonly kind: string
      readonly scopes: ReadonlyArray<string>
    }
    assert.deepEqual([issued.kind, issued.scopes], ["agent", ["messages:read", "messages:write"]])
    assert.equal((await call("GET", "/v1/me", { key: issued.secret })).status, 200)
  })

  await steps.step("a wrong code is told, and the form keeps it", async () => {
    await page.goto("/dashboard/device")
    await page.getByLabel("Code shown by the device").fill("BBBB-BBBB")
    await press(page.getByRole("button", { name: "Continue" }))
    assert.match(await main(), /No open request has this code/)
    assert.equal(await page.getByLabel("Code shown by the device").getAttribute("aria-invalid"), "true")
    await views.look("code", "/dashboard/device")
  })
}

/** Polls as the answer says, until the key is handed out. A-DEV-15, A-DEV-16 */
const polled = async ({ call }: Product, device_code: string): Promise<unknown> => {
  const body = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code }
  while (true) {
    const answer = await call("POST", `${device}/token`, { body })
    if (answer.status === 200) return answer.body.api_key
    assert.equal(answer.status, 202)
    const seconds = Number(answer.body.interval)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}
