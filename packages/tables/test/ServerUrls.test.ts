import { assert, describe, it } from "@effect/vitest"
import { serverUrls, shownServers } from "../ServerUrls.ts"

describe("a URL of PostgreSQL", () => {
  it("names one server or several, each with the credentials and the rest", () => {
    for (const url of ["postgres://h/d", "postgresql://u:p@h:5433/d?sslmode=require", "postgres:///d?host=/run"]) {
      assert.deepStrictEqual(serverUrls(url), [url])
    }
    assert.deepStrictEqual(serverUrls("postgres://u:p%40@a,b:5433,[::1]:5434/d?target_session_attrs=read-write"), [
      "postgres://u:p%40@a/d?target_session_attrs=read-write",
      "postgres://u:p%40@b:5433/d?target_session_attrs=read-write",
      "postgres://u:p%40@[::1]:5434/d?target_session_attrs=read-write"
    ])
    assert.lengthOf(serverUrls("postgres://a,b/d") ?? [], 2)
  })

  it("is refused when it is none, when a server has no name, and when several are asked for reads", () => {
    for (const url of [
      "mysql://h/d",
      "postgres",
      "postgres://a:port/d",
      "postgres://a,/d",
      "postgres://a,b:port/d",
      "postgres://a,b/d?host=c",
      "postgres://a,b/d?target_session_attrs=any",
      "postgres://a,b/d?target_session_attrs=prefer-standby"
    ]) {
      assert.isUndefined(serverUrls(url), url)
    }
  })

  it("is shown without its credentials", () => {
    assert.strictEqual(shownServers("postgres://u:secret@a,b:5433/d"), "a, b:5433")
    assert.strictEqual(shownServers("postgres:///d"), "")
  })
})
