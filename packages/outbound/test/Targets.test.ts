import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { NameResolver } from "../NameResolver.ts"
import { checkTarget, parseAllowlist, vetAtRegistration } from "../Targets.ts"

const none = new Set<string>()
const local = new Set(["http://127.0.0.1:4020"])

const ok = [
  "https://hooks.example.com/a?b=c",
  "https://hooks.example.com.:8443/",
  "HTTPS://HOOKS.EXAMPLE.COM",
  "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]/",
  "https://example.com/@user?mail=a@b",
  "https://bücher.example/",
  "https://local.example.com/",
  "https://internal.example/"
]

const malformed = [
  "",
  "hooks.example.com",
  "/hooks",
  "//example.com/",
  "https:example.com",
  "https:/example.com",
  "https:///example.com",
  "https://",
  "https://exa mple.com/",
  " https://example.com/",
  "https://example.com/\n",
  "https:\\\\example.com\\",
  "https://example.com/#part",
  "https://example.com/#",
  "http://127.0.0.1/#part",
  "https://example.com:99999/",
  "https://[::1/",
  "https://[fe80::1%25eth0]/",
  "https://example.com/\ud800",
  `https://example.com/${"a".repeat(2048)}`
]

const scheme = ["http://example.com/", "ftp://example.com/", "ws://example.com/", "mailto:a@example.com", "data:text,a"]
const localhost = [
  "https://localhost/",
  "https://LOCALHOST:8443/",
  "https://localhost./",
  "https://localhost../",
  "https://a.localhost/",
  "https://printer.local/",
  "https://printer.local./",
  "https://db.prod.internal/",
  "https://intranet/",
  "https://intranet./",
  "https://ⓛocalhost/"
]
const privateNetwork = [
  "https://127.0.0.1/",
  "https://127.0.0.1./",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f.0.0.1/",
  "https://0177.0.0.1/",
  "https://１２７.0.0.1/",
  "https://10.0.0.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://100.64.0.1/",
  "https://0/",
  "https://[::1]/",
  "https://[::]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[::ffff:a00:1]/",
  "https://[64:ff9b::10.0.0.1]/",
  "https://[2002:a00:1::]/",
  "https://[fd00::1]/",
  "https://[fe80::1]/"
]
const credentials = [
  "https://user:pass@example.com/",
  "https://user@example.com/",
  "https://:pass@example.com/",
  "https://@example.com/",
  "https://example.com@8.8.8.8/",
  "http://user@127.0.0.1:4020/"
]

const resolving = (answers: Readonly<Record<string, ReadonlyArray<string>>>) =>
  NameResolver.of({ resolve: (name) => Effect.sync(() => answers[name] ?? []) })

describe("Targets (gaps-1 J)", () => {
  for (const url of ok) it(`takes ${url}`, () => assert.strictEqual(checkTarget(url, none), "ok"))
  for (const url of malformed) {
    it(`finds ${JSON.stringify(url.slice(0, 40))} malformed`, () =>
      assert.strictEqual(checkTarget(url, local), "malformed"))
  }
  for (const [urls, name] of [
    [scheme, "not https A-WHE-18"],
    [localhost, "local A-WHE-19"],
    [privateNetwork, "private A-WHE-20"],
    [credentials, "credential-bearing A-WHE-21"]
  ] as const) {
    for (const url of urls) it(`refuses ${url}, ${name}`, () => assert.strictEqual(checkTarget(url, local), "unsafe"))
  }

  it("takes 2048 characters and no more", () => {
    const url = `https://example.com/${"a".repeat(2028)}`
    assert.strictEqual(url.length, 2048)
    assert.strictEqual(checkTarget(url, none), "ok")
    assert.strictEqual(checkTarget(`${url}a`, none), "malformed")
  })

  it("exempts an allowlisted origin only from https and address rules, by scheme, host and port", () => {
    assert.strictEqual(checkTarget("http://127.0.0.1:4020/hook", local), "ok")
    assert.strictEqual(checkTarget("http://127.1:4020/hook", local), "ok")
    assert.strictEqual(checkTarget("http://127.0.0.1:4021/hook", local), "unsafe")
    assert.strictEqual(checkTarget("https://127.0.0.1:4020/hook", local), "unsafe")
    assert.strictEqual(checkTarget("http://127.0.0.2:4020/hook", local), "unsafe")
    assert.strictEqual(checkTarget("http://a@127.0.0.1:4020/hook", local), "unsafe")
    assert.strictEqual(checkTarget("http://127.0.0.1:4020/hook#a", local), "malformed")
    assert.strictEqual(checkTarget("http://localhost:80/", new Set(["http://localhost"])), "ok")
  })

  it("reads an allowlist of origins, and refuses entries that are more than an origin", () => {
    assert.deepStrictEqual(parseAllowlist(""), new Set())
    assert.deepStrictEqual(
      parseAllowlist(" http://127.0.0.1:4020, https://Receiver:443 "),
      new Set(["http://127.0.0.1:4020", "https://receiver"])
    )
    for (const text of ["127.0.0.1:4020", "http://a/b", "http://u@a", "http://a?b", "ftp://a", "*", "http://a#"]) {
      assert.isUndefined(parseAllowlist(text), text)
    }
  })

  it("never throws, and accepts only https", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.webUrl({ withFragments: true })), (url) => {
        if (checkTarget(url, none) === "ok") assert.isTrue(url.toLowerCase().startsWith("https://"))
      })
    )
  })

  it.effect("resolves a name at registration and refuses one with any unsafe answer A-WHE-20", () =>
    Effect.gen(function* () {
      const vet = (url: string) => vetAtRegistration(url, local)
      assert.strictEqual(yield* vet("https://good.example/"), "ok")
      assert.strictEqual(yield* vet("https://mixed.example/"), "unsafe")
      assert.strictEqual(yield* vet("https://six.example/"), "unsafe")
      assert.strictEqual(yield* vet("https://unknown.example/"), "ok")
      assert.strictEqual(yield* vet("http://good.example/"), "unsafe")
      assert.strictEqual(yield* vet("nonsense"), "malformed")
      assert.strictEqual(yield* vet("http://127.0.0.1:4020/"), "ok")
      assert.strictEqual(yield* vet("https://8.8.8.8/"), "ok")
    }).pipe(
      Effect.provideService(
        NameResolver,
        resolving({
          "good.example": ["93.184.215.14", "2606:2800:21f:cb07::1"],
          "mixed.example": ["93.184.215.14", "10.0.0.7"],
          "six.example": ["93.184.215.14", "::ffff:127.0.0.1"],
          "8.8.8.8": ["10.0.0.1"]
        })
      )
    )
  )
})
