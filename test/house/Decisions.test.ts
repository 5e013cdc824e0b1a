import { assert, describe, it } from "@effect/vitest"
import { decisions, formFaults } from "./Decisions.ts"

const whole = `# 0007: Members

Status: accepted.

## Context
People share an organization.

## Decision
They are members.

### Roles
Three.

## Consequences
None is alone.
`
const faultsOf = (text: string, path = "docs/decisions/0007-members.md") =>
  formFaults(new Map([[path, text]])).map(({ message }) => message)

describe("The form of decisions", () => {
  it("is title, status, context, decision and consequences; options and evidence may stand between them", () => {
    assert.deepStrictEqual(faultsOf(whole), [])
    const longer = whole
      .replace("## Decision", "## Options\nOne.\n\n## Decision")
      .replace("## Consequences", "## Evidence\nTwo.\n\n## Consequences")
    assert.deepStrictEqual(faultsOf(longer), [])
  })

  it("names what is missing, empty, in another order or of another form", () => {
    assert.deepStrictEqual(faultsOf(whole.replace("# 0007: ", "# 0007 ")), ['the first line is not "# 0007: <title>"'])
    assert.deepStrictEqual(faultsOf(whole.replace("Status: accepted.\n", "")), [
      'the second line is not "Status: accepted." or another status'
    ])
    assert.deepStrictEqual(faultsOf(whole.replace("## Context", "**Context.**")), [
      "the sections are Decision, Consequences; they should be Context, Decision, Consequences"
    ])
    assert.deepStrictEqual(faultsOf(whole.replace("## Decision", "## Evidence\nOne.\n\n## Decision")), [
      "the sections are Context, Evidence, Decision, Consequences; they should be Context, Decision, Evidence, Consequences"
    ])
    assert.deepStrictEqual(faultsOf(whole.replace("None is alone.", "")), ["Consequences is empty"])
    assert.include(faultsOf(whole, "docs/decisions/members.md"), "the name is not NNNN-title.md")
  })

  it("gives a number once", () => {
    const twice = new Map([
      ["docs/decisions/0007-members.md", whole],
      ["docs/decisions/0007-people.md", whole]
    ])
    assert.deepStrictEqual(formFaults(twice), [
      { path: "docs/decisions/0007-people.md", message: "docs/decisions/0007-members.md has this number too" }
    ])
  })

  it("is the one of every decision of the project", () => {
    assert.isAbove(decisions().size, 80)
    assert.deepStrictEqual(formFaults(decisions()), [])
  })
})
