import { strict as assert } from "node:assert"
import { lookAt } from "../Look.ts"
import { press, type Scene } from "../Scene.ts"

const path = "/v1/provider-connections"
const returnUrl = "https://app.example.com/connected"
const token = "token-that-a-person-types-4242"
const account = { biz_account_id: "209000000000042", phone_number_id: "109000000000042" }

/** How people connect an account of the chat platform: by a signup of their own, and by a token that they enter. */
export const connecting = async (scene: Scene): Promise<void> => {
  const { browser, call, command, dev, main, page, steps, views } = scene
  const { upstream } = dev.simulators as { readonly upstream: string }
  const project = ["--organization", dev.organization_id] as const
  const { id: projectId, environments } = (await command("projects", "create", ...project, "--name", "Filial")) as {
    readonly id: string
    readonly environments: ReadonlyArray<{ readonly id: string; readonly environment?: string }>
  }
  const environment = environments[1]?.id ?? ""
  const place = ["--project", projectId, "--environment", "production", "--scopes", "all"] as const
  const { secret } = await command("keys", "create", ...project, ...place, "--name", "Story")
  const key = String(secret)

  await steps.step(
    "a customer completes a hosted signup at the platform, and is sent back M-SIGN-10 M-SIGN-12",
    async () => {
      const made = await call("POST", `${path}/upstream/signup-sessions`, { key, body: { return_url: returnUrl } })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const { id, url } = made.body as { readonly id: string; readonly url: string }
      const launch = new URLSearchParams(new URL(url).hash.slice(1)).get("token") ?? ""

      // A stranger: another browser, signed in to nothing, with scripts.
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
      context.setDefaultTimeout(120_000)
      const scripts: Array<string> = []
      const told: Array<string> = []
      context.on("request", (request) => {
        if (request.resourceType() === "script") scripts.push(new URL(request.url()).href)
      })
      context.on("console", (message) => told.push(message.text()))
      await context.route(`${returnUrl}**`, (route) =>
        route.fulfill({ contentType: "text/html", body: "<h1>Back</h1>" })
      )
      const customer = await context.newPage()
      const answer = await customer.goto(url)
      const policy = answer?.headers()["content-security-policy"] ?? ""
      assert.match(policy, /(^|; )script-src 'self'(;|$)/)
      const go = customer.getByRole("button", { name: "Continue to the platform" })
      await go.waitFor()
      assert.equal(customer.url(), `${dev.base_url}/dashboard/connect/${id}`)
      assert.ok(!(await customer.content()).includes(launch), "the launch token stands in the page")
      assert.deepEqual(await lookAt(customer), [])
      await go.click()
      await customer.getByRole("link", { name: "Connect account 209876543210001" }).click()
      await customer.waitForURL(`${returnUrl}**`)
      const back = new URL(customer.url())
      assert.deepEqual([back.searchParams.get("signup_session_id"), back.searchParams.get("status")], [id, "completed"])
      assert.equal(back.hash, "")
      assert.deepEqual(
        [...new Set(scripts.map((address) => address.split("?")[0]))],
        [`${dev.base_url}/dashboard/scripts/connect.js`]
      )
      assert.deepEqual(told, [])

      const session = (await call("GET", `${path}/upstream/signup-sessions/${id}`, { key })).body
      assert.deepEqual([session.status, session.url], ["completed", null])
      const connection = (await call("GET", `${path}/${session.provider_connection_id}`, { key })).body
      assert.deepEqual(
        [connection.status, connection.biz_account_id, connection.token_source],
        ["connected", "209876543210001", "embedded_signup"]
      )
      // The link is used: whoever opens it again is told so and sent on.
      await customer.goto(url)
      await customer.waitForURL(`${returnUrl}**`)
      await context.close()
    }
  )

  await steps.step("without scripts or a token the signup page says why it does nothing", async () => {
    const made = await call("POST", `${path}/upstream/signup-sessions`, {
      key: scene.key,
      body: { return_url: "http://localhost:4020/back" }
    })
    const { pathname } = new URL(String(made.body.url))
    await views.look("connect", pathname)
    const context = await browser.newContext({ baseURL: dev.base_url })
    context.setDefaultTimeout(120_000)
    const stranger = await context.newPage()
    await stranger.goto(pathname)
    await stranger.getByText("This link is not valid any more").waitFor()
    await context.close()
  })

  await steps.step(
    "disconnects an account, and enters the token of another on the page of a setup session (M-SETUP-02)",
    async () => {
      await page.goto(`/dashboard/connections?environment=${environment}`)
      await page.getByRole("link", { name: "Connected account" }).click()
      await views.look("connection", new URL(page.url()).pathname)
      await page.getByRole("link", { name: "Disconnect" }).click()
      await views.look("disconnect", new URL(page.url()).pathname)
      await page.getByLabel("to confirm").fill("Connected account")
      await press(page.getByRole("button", { name: "Disconnect" }))
      assert.match(await main(), /Its credential is erased/)

      const numbers = [{ id: account.phone_number_id, display_phone_number: "+55 11 90000-0042" }]
      const told = await fetch(`${upstream}/accounts`, {
        method: "POST",
        body: JSON.stringify({ biz_account_id: account.biz_account_id, token, numbers })
      })
      assert.equal(told.status, 200)
      const made = await call("POST", "/v1/provider-credential-setup-sessions", {
        key,
        body: { target: "upstream.chatapp" }
      })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      await page.goto(String(made.body.url))
      await views.look("setup", new URL(page.url()).pathname)
      const enter = async (typed: string) => {
        await page.getByLabel("What you call it").fill("Filial")
        await page.getByLabel("Business account id").fill(account.biz_account_id)
        await page.getByLabel("Phone number id").fill(account.phone_number_id)
        await page.getByLabel("Access token").fill(typed)
        await press(page.getByRole("button", { name: "Connect" }))
      }
      await enter("a-token-of-nobody")
      assert.equal(await page.locator(":focus").getAttribute("id"), "access_token")
      assert.ok(!(await page.content()).includes("a-token-of-nobody"), "what was typed is shown again")
      await enter(token)
      assert.match(await main(), /The credentials were taken/)
      assert.ok(!(await page.content()).includes(token))
      const session = (await call("GET", `/v1/provider-credential-setup-sessions/${made.body.id}`, { key })).body
      assert.deepEqual([session.status, session.completed_by_role, session.url], ["completed", "owner", null])
      const connection = (await call("GET", `${path}/${session.provider_connection_id}`, { key })).body
      assert.deepEqual([connection.status, connection.credential_last_four], ["connected", "4242"])
      await views.look("setup-completed", new URL(page.url()).pathname)
      await views.look("connections", `/dashboard/connections?environment=${environment}`)
    }
  )

  await steps.step("denies a setup session, which connects nothing (M-SETUP-11)", async () => {
    const made = await call("POST", "/v1/provider-credential-setup-sessions", {
      key,
      body: { target: "pixprov1.payments" }
    })
    await page.goto(String(made.body.url))
    await press(page.getByRole("button", { name: "Deny" }))
    assert.match(await main(), /It was denied\. Nothing was connected/)
    const session = (await call("GET", `/v1/provider-credential-setup-sessions/${made.body.id}`, { key })).body
    assert.deepEqual([session.status, session.provider_connection_id], ["denied", null])
  })
}
