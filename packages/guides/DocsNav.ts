/** A group of pages of the documentation, as the menu and the first page list them. */
export interface DocsGroup {
  readonly title: string
  readonly about: string
  readonly pages: ReadonlyArray<readonly [address: string, title: string]>
}

const guide = (name: string, title: string) => [`/docs/${name}`, title] as const

/** Guides that are written in Portuguese, by their name; all others are in English. */
export const portugueseGuides: ReadonlySet<string> = new Set(["n8n"])

/** Every page of the documentation but those of single operations and errors. A guide enters the menu here. */
export const docsGroups: ReadonlyArray<DocsGroup> = [
  {
    title: "Begin",
    about: "From an empty folder to a bot that takes bookings, and the words that everything else uses.",
    pages: [
      guide("quickstart", "Quickstart"),
      guide("concepts", "Concepts"),
      guide("how-it-works", "How it works"),
      guide("testing-your-integration", "Testing your integration"),
      guide("glossary", "Glossary")
    ]
  },
  {
    title: "Messaging",
    about: "Send and receive, templates, batches, files, consent and limits.",
    pages: [
      guide("webhooks", "Webhooks"),
      guide("templates", "Templates"),
      guide("batches", "Batches"),
      guide("sending-limits", "Limits of sending"),
      guide("media", "Media"),
      guide("flows", "Flows"),
      guide("consent", "Consent"),
      guide("groups", "Groups"),
      guide("production-sending", "Production sending")
    ]
  },
  {
    title: "Numbers and money",
    about: "Numbers and accounts at providers, payments, credit and plans.",
    pages: [
      guide("phone-numbers", "Phone numbers"),
      guide("connections", "Connections"),
      guide("payments", "Payments"),
      guide("billing", "Billing")
    ]
  },
  {
    title: "Tools",
    about: "Clients for programs, terminals, agents and n8n (in Portuguese).",
    pages: [
      guide("sdk", "SDK"),
      guide("cli", "Command line"),
      guide("mcp", "MCP"),
      guide("n8n", "n8n"),
      guide("generated-clients", "Generated clients")
    ]
  },
  {
    title: "Reference",
    about: "Every operation and every error code, with calls to copy.",
    pages: [
      ["/docs/reference", "API reference"],
      ["/docs/errors", "Errors"],
      ["/docs/changelog", "Changelog"],
      ["/docs/explorer", "API explorer"]
    ]
  },
  {
    title: "Operating",
    about: "For those who run the service.",
    pages: [
      guide("going-live", "Going live"),
      guide("vendors", "Vendors"),
      guide("bridge", "A vendor of your own"),
      guide("operations", "Operations"),
      guide("runbooks", "Runbooks"),
      guide("slo", "Service level objectives"),
      guide("scale", "Scale"),
      guide("reliability", "Reliability"),
      guide("benchmarks", "Benchmarks"),
      guide("benchmarks-profile", "Where accepting spends its time"),
      guide("proof", "Proof"),
      guide("boot-contract", "Boot contract")
    ]
  },
  {
    title: "How it is built",
    about: "For those who change it.",
    pages: [
      guide("architecture", "Architecture"),
      guide("style", "Style"),
      guide("testing", "Testing"),
      guide("adding-a-capability", "Adding a capability")
    ]
  }
]
