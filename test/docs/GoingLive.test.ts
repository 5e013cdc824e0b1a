import { join } from "node:path"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { examinePlatform } from "@carteiro/runtime/cli/doctor/PlatformExamination.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { bothPermissions, type Standin, startStandin } from "../standin/Standin.ts"
import { startedProgram } from "../support/StartedNode.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { read } from "./GuideBlocks.ts"
import { clonedFolder, guideShell } from "./GuideShell.ts"

type Env = Readonly<Record<string, string>>

/** Real processes, on a machine that may be busy with other files. In milliseconds. */
const patience = 600_000

/** One section of the guide: its heading, its blocks in order, and the rows of its table of what goes wrong. */
interface Section {
  readonly heading: string
  readonly text: string
  readonly blocks: ReadonlyArray<{ readonly kind: "sh" | "shown"; readonly text: string }>
  readonly wrongs: ReadonlyArray<{ readonly cause: string; readonly printed: string }>
}

const sectionsOf = (guide: string): ReadonlyArray<Section> =>
  guide
    .split(/^## /m)
    .slice(1)
    .map((text) => ({
      heading: text.split("\n", 1)[0] ?? "",
      text,
      blocks: [...text.matchAll(/^```(sh)?\n(.*?)^```/gms)].map(([, sh, block = ""]) => ({
        kind: sh === undefined ? "shown" : "sh",
        text: block
      })),
      wrongs: text.includes("| goes wrong | the doctor prints |")
        ? [...text.matchAll(/^\| ([^|]+) \| `([^`]+)` \|/gm)].map(([, cause = "", printed = ""]) => ({
            cause,
            printed
          }))
        : []
    }))

/** What each cause of the guide is at the platform, in the settings, or in the database; undone by what it returns. */
const causesAt = ({ platform }: Standin, token: string, sql: SqlClient.SqlClient) => {
  const { app, number, subscribed, tokens } = platform
  const during = (provoke: () => void, mend: () => void) => ({
    provoke: Effect.sync(provoke),
    mend: Effect.sync(mend),
    env: {}
  })
  const setting = (env: Env) => ({ provoke: Effect.void, mend: Effect.void, env })
  const registration = (state: string | null) =>
    Effect.orDie(sql`update phone_numbers set registration_state = ${state}
    where upstream_phone_number_id = ${number.id}`)
  const unregistered = during(
    () => void (number.platformType = "NOT_APPLICABLE"),
    () => void (number.platformType = "CLOUD_API")
  )
  return new Map<
    string,
    { readonly provoke: Effect.Effect<unknown>; readonly mend: Effect.Effect<unknown>; readonly env: Env }
  >([
    ["an app id or secret of another app", setting({ CARTEIRO_UPSTREAM_APP_SECRET: "another" })],
    ["a setting is missing", setting({ CARTEIRO_UPSTREAM_APP_ID: "" })],
    ["this machine does not reach the platform", setting({ CARTEIRO_UPSTREAM_API_BASE_URL: "http://127.0.0.1:1" })],
    ["the public address is not, or not yet, a node's", setting({ CARTEIRO_PUBLIC_URL: "http://127.0.0.1:1" })],
    ["a proxy answers in place of the node", setting({ CARTEIRO_PUBLIC_URL: platform.url })],
    ["nodes have another verify token", setting({ CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN: "another" })],
    ["the doctor has another master key than the nodes", setting({ CARTEIRO_MASTER_KEY: "08".repeat(32) })],
    [
      "the token was revoked, or ended",
      during(
        () => tokens.delete(token),
        () => tokens.set(token, bothPermissions)
      )
    ],
    [
      "the token lacks `whatsapp_business_management`",
      during(
        () => tokens.set(token, ["whatsapp_business_messaging"]),
        () => tokens.set(token, bothPermissions)
      )
    ],
    [
      "the app lost the account",
      during(
        () => subscribed.delete(app.id),
        () => subscribed.add(app.id)
      )
    ],
    ["the account has no approved template", setting({})],
    ["the number is not registered yet", unregistered],
    [
      "the platform holds another PIN",
      {
        provoke: Effect.andThen(unregistered.provoke, registration("pin_required")),
        mend: Effect.andThen(unregistered.mend, registration("registered")),
        env: {}
      }
    ],
    ["the business is not verified", setting({})],
    [
      "the number left the account",
      during(
        () => void (number.isGone = true),
        () => void (number.isGone = false)
      )
    ]
  ])
}

/** Lines as the guide shows them, whatever number of blanks stands between their columns. */
const lined = (text: string): string => text.replaceAll(/ +/g, " ")

it.layer(TestDatabase.layer, { excludeTestServices: true })("docs/going-live.md", (it) => {
  it.effect(
    "is played from its own text, from an empty app to the first answered message, and each cause is told U-CON-01 U-CON-03",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const sql = yield* SqlClient.SqlClient
        const standin = yield* Effect.acquireRelease(Effect.promise(startStandin), (one) => Effect.promise(one.close))
        const { platform } = standin
        const token = standin.makeToken(bothPermissions)
        const port = yield* freePort()
        const folder = yield* clonedFolder
        const own: Env = {
          DATABASE_URL: url,
          CARTEIRO_DATA_DIR: join(folder.clone, ".carteiro"),
          CARTEIRO_MASTER_KEY: "07".repeat(32),
          PORT: String(port),
          TOKEN: token
        }
        const { TOKEN: _, ...installation } = own
        const shell = yield* guideShell(folder, own)

        // The ids and addresses of the guide are examples; those of this platform stand in their place.
        const placed = (text: string) =>
          text
            .replaceAll("https://graph.facebook.com", platform.url)
            .replaceAll("670843887433847", platform.app.id)
            .replaceAll("the-app-secret", platform.app.secret)
            .replaceAll("https://api.example.com", `http://127.0.0.1:${port}`)
            .replaceAll("102290129340398", platform.waba)
            .replaceAll("106540352242922", platform.number.id)
        let settings: Env = installation
        const causes = causesAt(standin, token, sql)

        for (const section of sectionsOf(placed(read("docs/going-live.md")))) {
          if (section.heading.startsWith("3.")) yield* saveWebhook(standin, settings, section.text)
          if (section.heading.startsWith("7.")) {
            assert.strictEqual(
              yield* Effect.promise(() => standin.customerWrites("5511912345678", "Oi! Está aberto?")),
              200
            )
          }
          let output = ""
          for (const { kind, text } of section.blocks) {
            if (kind === "shown") {
              for (const line of text.trimEnd().split("\n")) assert.include(lined(output), lined(line), section.heading)
              continue
            }
            const ran = yield* shell.run(text)
            assert.strictEqual(ran.status, 0, `${section.heading}\n${text}\n${ran.output}`)
            output = ran.output
            const exported = [...text.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
              name,
              value
            ])
            if (exported.length === 0) continue
            settings = { ...installation, ...Object.fromEntries(exported) }
            yield* startedProgram(settings)
            // Development has a demonstration, which is connected to an account that this platform does not have.
            yield* sql`delete from provider_connections where environment = 'production'`
          }
          for (const { cause, printed } of section.wrongs) {
            const found = causes.get(cause)
            if (found === undefined) return assert.fail(`the test knows no cause: ${cause}`)
            const env = Object.fromEntries(
              Object.entries({ ...settings, ...found.env }).filter(([, value]) => value !== "")
            )
            const findings = yield* Effect.acquireUseRelease(
              found.provoke,
              () => Effect.provide(examinePlatform(), ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
              () => found.mend
            )
            const told = findings.map((one) => one.found).join("\n")
            assert.include(told, printed, cause)
            for (const secret of [token, platform.app.secret]) assert.notInclude(JSON.stringify(findings), secret)
          }
        }
        const answer = platform.taken.at(-1)?.body
        assert.deepStrictEqual(
          [answer?.to, answer?.text],
          ["+5511912345678", { body: "Olá! Já vamos responder.", preview_url: false }]
        )
        assert.notInclude(shell.printed(), token)
      }).pipe(Effect.scoped),
    patience
  )
})

/** Saves the webhook on the app's page with the fields that the guide names; a wrong word is refused there. */
const saveWebhook = (standin: Standin, settings: Env, text: string) =>
  Effect.promise(async () => {
    const { CARTEIRO_PUBLIC_URL, CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN = "" } = settings
    const callback = `${CARTEIRO_PUBLIC_URL}/webhooks/upstream`
    const fields = [...text.matchAll(/`([a-z_]+)`/g)].map(([, field = ""]) => field)
    assert.includeMembers(fields, ["messages", "account_update"])
    assert.match((await standin.saveWebhook(callback, "another", fields)) ?? "", /couldn't be validated/)
    assert.isUndefined(await standin.saveWebhook(callback, CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN, fields))
  })
