import { strict as assert } from "node:assert"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { mostPictureBytes, type Pictured, pictured, pictureName, pictureViews } from "../PictureList.ts"
import type { Scene } from "../Scene.ts"
import type { Shop } from "../Shop.ts"

const folder = fileURLToPath(new URL("../../../docs/images/", import.meta.url))

/** Of each try the better picture: a page with much on it needs a coarser one to stay within its bound. */
const qualities = [84, 70, 55, 40, 30] as const

/** Takes the pictures of the documentation of an open shop: all, or those whose names hold one of the words. */
export const pictures = async (scene: Scene, shop: Shop, words: ReadonlyArray<string>): Promise<void> => {
  const { browser, dev, page, steps } = scene
  const cookies = await page.context().cookies()
  const addresses = addressesOf(scene, shop, await startDevice(scene))
  for (const view of pictureViews) {
    const { colorScheme, height, width } = view
    const wanted = pictured.filter(
      (name) => words.length === 0 || words.some((word) => pictureName(name, view).includes(word))
    )
    if (wanted.length === 0) continue
    await steps.step(
      `photographs ${wanted.length} pages, ${width} wide, ${colorScheme}`,
      async () => {
        const look = { colorScheme, viewport: { width, height }, reducedMotion: "reduce" } as const
        const options = { ...look, baseURL: dev.base_url, javaScriptEnabled: false }
        const contexts = { person: await browser.newContext(options), stranger: await browser.newContext(options) }
        await contexts.person.addCookies([...cookies, inBrazil(dev.base_url)])
        for (const name of wanted) {
          const context = contexts[name === "sign-in" || name === "pay" ? "stranger" : "person"]
          const [shown = await context.newPage()] = context.pages()
          await shown.goto(addresses[name])
          await shown.evaluate("document.fonts.ready")
          const bytes = await pictureOf(shown)
          assert.ok(bytes.length <= mostPictureBytes, `${name}: ${bytes.length} bytes`)
          writeFileSync(`${folder}${pictureName(name, view)}`, bytes)
        }
        await contexts.person.close()
        await contexts.stranger.close()
      },
      600_000
    )
  }
}

/** The choice of a time zone, as a person makes it at the foot of a page. */
const inBrazil = (url: string) => ({ name: "carteiro_time_zone", value: "America/Sao_Paulo", url })

const pictureOf = async (shown: Page): Promise<Buffer> => {
  const session = await shown.context().newCDPSession(shown)
  let bytes = Buffer.alloc(0)
  for (const quality of qualities) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality })
    bytes = Buffer.from(data, "base64")
    if (bytes.length <= mostPictureBytes) break
  }
  await session.detach()
  return bytes
}

const addressesOf = ({ environment }: Scene, shop: Shop, device: string): Readonly<Record<Pictured, string>> => {
  const list = (name: string) => `/dashboard/${name}?environment=${environment}`
  const one = (path: string, id: string) => `/dashboard/${path.replace("/", `/${environment}/`)}${id}`
  return {
    overview: `/dashboard?environment=${environment}`,
    chat: `${list("chat")}&customer=${encodeURIComponent(shop.talk)}&as=business`,
    messages: list("messages"),
    message: one("messages/", shop.message),
    templates: list("templates"),
    "template-edit": `${one("templates/", shop.template)}/edit`,
    batch: `${one("batches/", shop.batch)}?still=1`,
    contacts: list("contacts"),
    contact: one("contacts/", shop.contact),
    payments: list("payments"),
    payment: one("payments/", shop.payment),
    pay: new URL(shop.payLink).pathname,
    billing: "/dashboard/billing",
    webhooks: list("webhooks"),
    outage: one("webhooks/endpoints/", shop.failing),
    delivery: one("webhooks/deliveries/", shop.delivery),
    keys: list("api-keys"),
    device,
    "sign-in": "/dashboard/sign-in",
    docs: "/docs/quickstart"
  }
}

/** Starts the login of a device, and returns the page that asks for its approval. */
const startDevice = async ({ call }: Scene): Promise<string> => {
  const asked = { client_name: "Terminal da Ana", environment: "sandbox", scopes: ["messages:read", "messages:write"] }
  const { body } = await call("POST", "/v1/agent-api-key-device-authorizations", { body: asked })
  const { pathname, search } = new URL(String(body.verification_uri_complete))
  return `${pathname}${search}`
}
