import { strict as assert } from "node:assert"
import type { Browser } from "playwright-core"
import type { Product } from "./Product.ts"
import type { Steps } from "./Steps.ts"
import { openViews } from "./Views.ts"

/** What the story stands on. */
export interface Stage {
  readonly product: Product
  readonly browser: Browser
  /** A receiver: `/well` takes deliveries, everything else fails. */
  readonly hooks: string
  readonly steps: Steps
  /** Names of the pictures to take; empty for none. */
  readonly images: ReadonlyArray<string>
}

/** The pictures of the guides. */
export const guidePictures = [
  "overview-light",
  "keys-dark",
  "device-phone",
  "webhooks-dark",
  "delivery-light",
  "members-light"
]

const device = "/v1/agent-api-key-device-authorizations"

/** An owner's day at the dashboard, from the sign-in link to signing out. */
export const dashboardStory = async ({ product, browser, hooks, steps, images }: Stage): Promise<void> => {
  const { dev, call, command } = product
  const { key, environment } = { key: dev.sandbox.api_key, environment: dev.sandbox.environment_id }
  const views = await openViews(browser, { baseURL: dev.base_url, images })
  const { page } = views
  const heading = async () => (await page.locator("h1").textContent())?.trim()
  const main = () => page.locator("main").innerText()

  await steps.step("a link signs in once, by its button (gaps-1 C)", async () => {
    await page.goto("/dashboard/api-keys")
    assert.equal(await heading(), "Sign in")
    await page.goto(dev.dashboard.sign_in_url)
    await page.goto(dev.dashboard.sign_in_url)
    await page.getByRole("button", { name: "Sign in" }).click()
    assert.equal(await heading(), "API keys")
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === "carteiro_session")
    assert.deepEqual(
      [cookie?.httpOnly, cookie?.secure, cookie?.sameSite, cookie?.path],
      [true, true, "Lax", "/dashboard"]
    )
    await page.goto(dev.dashboard.sign_in_url)
    assert.match(await main(), /used already/)
  })

  await steps.step("the keyboard reaches the content first and shows where it is", async () => {
    await page.goto("/dashboard")
    await page.keyboard.press("Tab")
    const focused = page.locator(":focus")
    assert.equal(await focused.textContent(), "Skip to the content")
    assert.equal(await focused.evaluate((element) => getComputedStyle(element).outlineStyle), "solid")
    await page.keyboard.press("Enter")
    assert.equal(await page.locator(":focus").getAttribute("id"), "main")
  })

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
    await page.getByRole("button", { name: "Approve" }).click()
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
    await page.getByRole("button", { name: "Continue" }).click()
    assert.match(await main(), /No open request has this code/)
    assert.equal(await page.getByLabel("Code shown by the device").getAttribute("aria-invalid"), "true")
    await views.look("code", "/dashboard/device")
  })

  await steps.step("creates a key that administers keys, shows it once, and revokes it (gaps-1 C)", async () => {
    await page.goto(`/dashboard/api-keys?environment=${environment}`)
    await page.getByLabel("Name", { exact: true }).fill("Deployment")
    await page.getByLabel("api_keys:admin").check()
    await page.getByRole("button", { name: "Create the key" }).click()
    const secret = await page.getByLabel("API key").inputValue()
    assert.match(secret, /^svc_sbx_/)
    assert.equal((await call("GET", "/v1/api-keys", { key: secret })).status, 200)
    await page.goto("/dashboard/api-keys")
    assert.doesNotMatch(await page.content(), new RegExp(secret))
    await page.getByRole("link", { name: "Revoke Deployment" }).click()
    await page.getByRole("button", { name: "Revoke the key" }).click()
    assert.match(await main(), /Revoked/)
    assert.equal((await call("GET", "/v1/api-keys", { key: secret })).status, 401)
    await views.look("keys", `/dashboard/api-keys?environment=${environment}`)
  })

  await steps.step("creates, archives, restores and deletes a project (gaps-1 C)", async () => {
    await page.goto("/dashboard/projects")
    await page.getByLabel("Name").fill("Loja Norte")
    await page.getByRole("button", { name: "Create the project" }).click()
    await page.getByRole("link", { name: "Loja Norte" }).click()
    await page.getByRole("link", { name: "Archive…" }).click()
    await page.getByRole("button", { name: "Archive the project" }).click()
    assert.match(await main(), /archived/)
    await page.getByRole("button", { name: "Restore" }).click()
    await page.getByRole("link", { name: "Delete…" }).click()
    await page.getByLabel("Type loja-norte to confirm").fill("loja")
    await page.getByRole("button", { name: "Delete the project" }).click()
    assert.match(await main(), /That is not loja-norte/)
    await page.getByLabel("Type loja-norte to confirm").fill("loja-norte")
    await page.getByRole("button", { name: "Delete the project" }).click()
    assert.match(await main(), /Deleted/)
    await views.look("projects", "/dashboard/projects")
  })

  await steps.step("switches a family off and the API says so (gaps-1 N)", async () => {
    const flip = async (on: boolean) => {
      await page.goto(`/dashboard/projects/${dev.project_id}`)
      await page.getByRole("group", { name: "Switched on in sandbox" }).getByLabel("Messaging").setChecked(on)
      await page.getByRole("button", { name: "Save the switches" }).first().click()
      assert.match(await main(), /Switched/)
    }
    await flip(false)
    const refused = await call("POST", "/v1/messages", { key, body: message })
    assert.equal((refused.body.error as { readonly code: string }).code, "feature_disabled")
    await views.look("project", `/dashboard/projects/${dev.project_id}`)
    await flip(true)
  })

  await steps.step("shows endpoints with health, deliveries and attempts, and sends again (A-WHV)", async () => {
    const subscribed_events = ["message.received"]
    for (const path of ["/well", "/ill"]) {
      const made = await call("POST", "/v1/webhook-endpoints", {
        key,
        body: { url: `${hooks}${path}`, subscribed_events }
      })
      assert.equal(made.status, 201)
    }
    const phone = (dev.sandbox as { readonly phone_number_id?: string }).phone_number_id
    const inbound = { channel: "chatapp", from: "+5511999998888", to: phone, type: "text", text: { body: "Oi" } }
    assert.ok((await call("POST", "/v1/sandbox/inbound-messages", { key, body: inbound })).status < 300)
    await page.goto(`/dashboard/webhooks?environment=${environment}`)
    while (!/delivered[\s\S]*503|503[\s\S]*delivered/.test(await main())) await page.reload()
    await views.look("webhooks", `/dashboard/webhooks?environment=${environment}`)
    await page.getByRole("link", { name: `${hooks}/ill` }).click()
    await views.look("endpoint", new URL(page.url()).pathname)
    await page.getByRole("link", { name: "message.received" }).first().click()
    await page.getByRole("button", { name: "Send again" }).click()
    assert.match(await main(), /A new attempt is on its way/)
    await views.look("delivery", new URL(page.url()).pathname)
  })

  await steps.step("shows feedback with the answer an operator gave by command (gaps-1 H)", async () => {
    const report = { message: "The docs of listen do not say how long a page waits.", context: { page: "/docs" } }
    const sent = await call("POST", "/v1/feedback", { key, body: report, idempotencyKey: "story" })
    const id = String(sent.body.id)
    const summary = "The guide to listening says it now: 25 seconds."
    const resolved = await command("feedback", "resolve", id, "--disposition", "documented", "--summary", summary)
    assert.equal(resolved.status, "resolved")
    await page.goto(`/dashboard/feedback/${environment}/${id}`)
    assert.match(await main(), /The guide to listening says it now/)
    await views.look("report", `/dashboard/feedback/${environment}/${id}`)
    await views.look("feedback", `/dashboard/feedback?environment=${environment}`)
    await views.look("overview", "/dashboard")
  })

  await steps.step("adds a member, whose link signs them in, and deactivates them (decision 0007)", async () => {
    await page.goto("/dashboard/members")
    await page.getByLabel("Name").fill("Rui Sá")
    await page.getByLabel("Email").fill("rui@demo.test")
    await page.getByLabel("Role").selectOption("admin")
    await page.getByRole("button", { name: "Add the member" }).click()
    const link = await page.getByLabel("Sign-in link").inputValue()
    const other = await browser.newPage({ baseURL: dev.base_url, javaScriptEnabled: false })
    await other.goto(link)
    await other.getByRole("button", { name: "Sign in" }).click()
    assert.match(await other.locator("header").innerText(), /Rui Sá, admin/)
    await views.look("members", "/dashboard/members")
    await page.goto("/dashboard/members")
    await page.getByRole("link", { name: "Rui Sá" }).click()
    await views.look("member", new URL(page.url()).pathname)
    await page.getByRole("link", { name: "Deactivate…" }).click()
    await views.look("deactivate", new URL(page.url()).pathname)
    await page.getByRole("button", { name: "Deactivate" }).click()
    assert.match(await main(), /Every session of theirs has ended/)
    await other.reload()
    assert.equal((await other.locator("h1").textContent())?.trim(), "Sign in")
    await other.close()
  })

  await steps.step("a form that is refused points at the field, and an address that is no page says so", async () => {
    await page.goto("/dashboard/projects")
    await page.getByLabel("Name").fill("Twice")
    await page.getByLabel("Slug (optional)").fill("Not a slug")
    await page.getByRole("button", { name: "Create the project" }).click()
    assert.equal(await page.locator(":focus").getAttribute("id"), "slug")
    assert.match(await main(), /A slug has lowercase letters/)
    await views.look("nothing", "/dashboard/nothing")
  })

  await steps.step("a suspension is shown and honored on the next request A-AUTH-11", async () => {
    await command("organizations", "suspend", dev.organization_id)
    assert.equal((await call("GET", "/v1/me", { key })).status, 403)
    await page.goto("/dashboard")
    assert.match(await main(), /This organization is suspended/)
    await views.look("suspended", "/dashboard")
    await command("organizations", "resume", dev.organization_id)
    assert.equal((await call("GET", "/v1/me", { key })).status, 200)
  })

  await steps.step("signing out ends the session", async () => {
    await page.goto("/dashboard")
    await page.getByRole("button", { name: "Sign out" }).click()
    assert.equal(await heading(), "Sign in")
    await views.look("sign-in", "/dashboard/sign-in")
    await page.goto("/dashboard")
    assert.equal(await heading(), "Sign in")
  })

  await steps.step("no page asked for anything the policy forbids", async () => {
    const told = views.complaints().filter((text) => !/status of 4\d\d/.test(text))
    assert.deepEqual(told, [])
  })
}

/** Never accepted while messaging is off, whatever its sender. */
const message = {
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: "pn_00000000000000000000000000" },
  recipient: { type: "phone_e164", id: "+5511999998888" },
  message: { type: "text", text: { body: "Olá!" } }
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
