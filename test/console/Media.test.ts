import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { files, upload } from "../media/Files.ts"
import { Api } from "../support/ApiTest.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/media"

it.layer(DashboardTest, { excludeTestServices: true })("Media", (it) => {
  it.effect('show what they take up, and files by kind, status and origin gaps-2 F "Quota"', () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { id, key } = acme.sandbox
      const someone = yield* signedIn(acme)
      const empty = textOf((yield* someone.get(`${page}?environment=${id}`)).text)
      assert.include(empty, "0 bytes of 1.0 GiB used, 0%")
      assert.include(empty, "Pictures, sound, films and documents")
      const picture = (yield* upload(key, files.png, "image/png", { filename: "<b>a</b>.png" })).id
      const sound = (yield* upload(key, files.ogg, "audio/ogg", { lifecycle: "library" })).id
      const ids = (query: string) =>
        Effect.map(someone.get(`${page}?environment=${id}${query}`), ({ text }) =>
          [...text.matchAll(/<code>(mda_[0-9a-z]+)<\/code>/g)].map(([, found]) => found)
        )
      assert.deepStrictEqual(yield* ids(""), [sound, picture])
      assert.deepStrictEqual(yield* ids("&kind=image"), [picture])
      assert.deepStrictEqual(yield* ids("&status=ready&source=customer"), [sound, picture])
      assert.deepStrictEqual(yield* ids("&source=inbound_provider"), [])
      assert.deepStrictEqual(yield* ids("&kind=bogus"), [sound, picture])
      assert.deepStrictEqual(yield* ids(`&before=${sound}`), [picture])
      const { text } = yield* someone.get(`${page}?environment=${id}`)
      assert.notInclude(text, "<b>a</b>")
      const used = files.png.length + files.ogg.length
      for (const part of [
        "<b>a</b>.png",
        "image, image/png",
        `${used} bytes of 1.0 GiB`,
        "library",
        "single use, until"
      ])
        assert.include(textOf(text), part)
      yield* sql`update media_usage set limit_bytes = ${used} where environment_id = ${id}`
      assert.include(textOf((yield* someone.get(`${page}?environment=${id}`)).text), "100% nearly full")
    })
  )

  it.effect("are lines of a file, narrowed as the list is, with the status that they have now M-MED-31", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { id, key } = acme.sibling.sandbox
      const picture = (yield* upload(key, files.png, "image/png", { filename: "a.png" })).id
      const sound = (yield* upload(key, files.ogg, "audio/ogg", { lifecycle: "library" })).id
      yield* sql`update media_assets set ends_at = to_timestamp(1), held_by = null where id = ${picture}`
      const someone = yield* signedIn(acme)
      const lines = (query: string) =>
        Effect.map(someone.get(`${page}/export?environment=${id}${query}`), ({ text }) =>
          text
            .split("\r\n")
            .filter((line) => line !== "")
            .map((line) => line.split(",").slice(0, 8).join())
        )
      const names = "id,filename,kind,mime_type,byte_length,status,failure_code,lifecycle"
      const first = `${picture},a.png,image,image/png,${files.png.length},expired,,single_use`
      const second = `${sound},,audio,audio/ogg,${files.ogg.length},ready,,library`
      assert.deepStrictEqual(yield* lines(""), [names, second, first])
      assert.deepStrictEqual(yield* lines("&kind=image"), [names, first])
      assert.deepStrictEqual(yield* lines("&status=expired"), [names, first])
      assert.deepStrictEqual(yield* lines("&status=ready&lifecycle=library&source=customer"), [names, second])
      assert.deepStrictEqual(yield* lines(`&file=${sound}`), [names, second])
      assert.deepStrictEqual(yield* lines("&source=inbound_provider"), [names])
    })
  )

  it.effect("of another organization answer 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const { id } = yield* upload(other.sandbox.key, files.png, "image/png")
      const someone = yield* signedIn(acme)
      assert.strictEqual((yield* someone.get(`${page}?environment=${other.sandbox.id}`)).status, 404)
      assert.notInclude((yield* someone.get(`${page}?environment=${acme.sandbox.id}`)).text, id)
    })
  )
})
