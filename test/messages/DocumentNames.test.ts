import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { files } from "../media/Files.ts"
import { UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

it.layer(UpstreamProduct(), { excludeTestServices: true })("The name of a document", (it) => {
  it.effect("is the message's own, else the file's, at the platform and in the read U-SND-01", () =>
    Effect.gen(function* () {
      const { hear, reaches, read, send, simulator } = yield* upstreamStage
      yield* hear()
      simulator.world.records = true
      const inline = (filename: string) => ({
        data_base64: files.pdf.toString("base64"),
        mime_type: "application/pdf",
        filename
      })
      for (const [media, name] of [
        [{ filename: "nota 12.pdf", inline: inline("scan.pdf") }, "nota 12.pdf"],
        [{ inline: inline("scan.pdf") }, "scan.pdf"]
      ] as const) {
        const { body, text } = yield* send({ type: "media", media: { kind: "document", ...media } })
        assert.isString(body.id, text)
        yield* reaches(body.id, "read")
        const shown = yield* read(body.id)
        assert.strictEqual(shown.media.filename, name)
        const sends = simulator.log.read(0, "call").map((entry) => JSON.stringify(entry))
        assert.include(sends.join("\n"), `"filename":"${name}"`)
      }
    })
  )
})
