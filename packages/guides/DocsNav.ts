/** A group of pages of the documentation, as the menu and the first page list them. */
export interface DocsGroup {
  readonly title: string
  readonly about: string
  /** How much their words count in the search: 1 for those who build on the service, less for those who run or change it. */
  readonly searchWeight: number
  readonly pages: ReadonlyArray<MenuPage>
}

/** A page with a weight of its own counts that much instead of its group. */
export type MenuPage = readonly [address: string, title: string, searchWeight?: number]

const guide = (name: string, title: string, ...weight: readonly [] | readonly [searchWeight: number]): MenuPage => [
  `/docs/${name}`,
  title,
  ...weight
]

/** The languages of guides. */
export type GuideLanguage = "en" | "pt"

/** Guides that are written in Portuguese alone, by their name. */
const portugueseAlone: ReadonlySet<string> = new Set(["n8n"])

/** Guides that stand in both languages: their translation is `docs/pt/NAME.md`, at `/docs/pt/NAME`, with a title of its own. */
export const translatedGuides: ReadonlyMap<string, string> = new Map([
  ["quickstart", "Primeiros passos"],
  ["testing-your-integration", "Testar a integração"],
  ["webhooks", "Webhooks"],
  ["templates", "Modelos"],
  ["batches", "Lotes"],
  ["sending-limits", "Limites de envio"],
  ["media", "Arquivos"],
  ["consent", "Consentimento"],
  ["payments", "Pagamentos"],
  ["sdk", "SDK"]
])

/** Returns the language of a guide by its name. */
export const languageOf = (name: string): GuideLanguage =>
  name.startsWith("pt/") || portugueseAlone.has(name) ? "pt" : "en"

/** Returns the name of a guide in the other language; undefined where there is none. */
export const counterpartOf = (name: string): string | undefined => {
  const own = name.replace(/^pt\//, "")
  return translatedGuides.has(own) ? (own === name ? `pt/${own}` : own) : undefined
}

/** Every page of the documentation but those of single operations and errors. A guide enters the menu here. */
export const docsGroups: ReadonlyArray<DocsGroup> = [
  {
    title: "Begin",
    about: "From an empty folder to a bot that takes bookings, and the words that everything else uses.",
    searchWeight: 1,
    pages: [
      guide("quickstart", "Quickstart"),
      guide("concepts", "Concepts"),
      guide("how-it-works", "How it works"),
      guide("testing-your-integration", "Testing your integration"),
      guide("gallery", "Gallery", 0.1),
      guide("glossary", "Glossary")
    ]
  },
  {
    title: "Messaging",
    about: "Send and receive, templates, batches, files, consent and limits.",
    searchWeight: 1,
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
    searchWeight: 1,
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
    searchWeight: 1,
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
    searchWeight: 1,
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
    searchWeight: 0.1,
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
    searchWeight: 0.1,
    pages: [
      guide("architecture", "Architecture"),
      guide("style", "Style"),
      guide("testing", "Testing"),
      guide("adding-a-capability", "Adding a capability")
    ]
  }
]

const searchWeights = new Map(
  docsGroups.flatMap((group) => group.pages.map(([address, _, own = group.searchWeight]) => [address, own] as const))
)

/** Returns how much the words of a guide count in a search by a reader of this language; half in another one. */
export const searchWeight = (name: string, language: GuideLanguage): number =>
  (searchWeights.get(`/docs/${name.replace(/^pt\//, "")}`) ?? 1) * (languageOf(name) === language ? 1 : 0.5)

/** Returns the groups as the menu lists them in a language: in Portuguese with the translations in place of their originals. */
export const groupsIn = (language: GuideLanguage): ReadonlyArray<DocsGroup> =>
  language === "en"
    ? docsGroups
    : docsGroups.map((group) => ({
        ...group,
        ...portugueseGroups[group.title],
        pages: group.pages.map((page) => {
          const name = page[0].slice("/docs/".length)
          const title = translatedGuides.get(name)
          return title === undefined ? page : ([`/docs/pt/${name}`, title] as const)
        })
      }))

const portugueseGroups: Readonly<Record<string, Pick<DocsGroup, "title" | "about">>> = {
  Begin: {
    title: "Comece aqui",
    about: "De uma pasta vazia a um bot que marca horários, e as palavras que todo o resto usa."
  },
  Messaging: {
    title: "Mensagens",
    about: "Enviar e receber, modelos, lotes, arquivos, consentimento e limites."
  },
  "Numbers and money": {
    title: "Números e dinheiro",
    about: "Números e contas em provedores, pagamentos, crédito e planos."
  },
  Tools: { title: "Ferramentas", about: "Clientes para programas, terminais, agentes e n8n." },
  Reference: {
    title: "Referência",
    about: "Cada operação e cada código de erro, com chamadas para copiar."
  },
  Operating: { title: "Operação", about: "Para quem opera o serviço." },
  "How it is built": { title: "Como é feito", about: "Para quem muda o serviço." }
}
