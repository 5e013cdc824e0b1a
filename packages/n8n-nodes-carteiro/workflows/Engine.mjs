import { once } from "node:events"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"

const require = createRequire(import.meta.url)
require("reflect-metadata")
const core = require("n8n-core")
const { NodeHelpers, Workflow, createRunExecutionData } = require("n8n-workflow")

const name = "n8n-nodes-carteiro"

/** Loads the built package as n8n does. */
export const loadedNodes = async () => {
  const loader = new core.PackageDirectoryLoader(join(import.meta.dirname, ".."))
  await loader.loadAll()
  return loader
}

/** A stage on which n8n's own engine runs workflows with one credential. */
export const engine = async (credential) => {
  const loader = await loadedNodes()
  const typeOf = (type) => loader.getNode(type.replace(`${name}.`, "")).type
  const nodeTypes = {
    getByName: typeOf,
    getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(typeOf(type), version),
    getKnownTypes: () => loader.known.nodes
  }
  const { type: credentialType } = loader.getCredential("carteiroApi")
  const credentialsHelper = {
    getParentTypes: () => [],
    isCredentialUsableByNode: (type) => type === "carteiroApi",
    getDecrypted: async () => ({ ...credential }),
    preAuthentication: async () => undefined,
    // n8n evaluates the expressions of the credential's description; so does this.
    authenticate: async (credentials, _type, options, workflow, node) => {
      const headers = Object.fromEntries(
        Object.entries(credentialType.authenticate.properties.headers).map(([header, value]) => [
          header,
          workflow.expression.getSimpleParameterValue(node, value, "internal", { $credentials: credentials }, "")
        ])
      )
      return { ...options, headers: { ...options.headers, ...headers } }
    }
  }
  return { core, credentialsHelper, credentialType, loader, nodeTypes }
}

/** Returns a node of the package. */
export const node = (nodeName, type, parameters) => ({
  id: nodeName,
  name: nodeName,
  type: `${name}.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters,
  credentials: { carteiroApi: { id: "1", name: "Carteiro" } }
})

/** Returns a workflow whose nodes follow each other in their order. */
export const chained = ({ nodeTypes }, nodes) =>
  new Workflow({
    id: "w1",
    name: "Test",
    active: false,
    nodeTypes,
    nodes,
    connections: Object.fromEntries(
      nodes.slice(1).map((next, at) => [nodes[at].name, { main: [[{ node: next.name, type: "main", index: 0 }]] }])
    )
  })

const additionalData = ({ core: { ExecutionLifecycleHooks }, credentialsHelper }, workflow, more = {}) => ({
  credentialsHelper,
  currentNodeParameters: undefined,
  executionId: "1",
  restApiUrl: "http://127.0.0.1/rest",
  instanceBaseUrl: "http://127.0.0.1/",
  formWaitingBaseUrl: "http://127.0.0.1/form",
  webhookWaitingBaseUrl: "http://127.0.0.1/waiting",
  variables: {},
  userId: "1",
  hooks: new ExecutionLifecycleHooks("manual", "1", { ...workflow, nodes: Object.values(workflow.nodes) }),
  setExecutionStatus: () => {},
  sendDataToUI: () => {},
  ...more
})

/** Runs a workflow from its first node, which hands on these items. Returns the items of each node, or its error. */
export const run = async (stage, nodes, items, binary) => {
  const workflow = chained(stage, nodes)
  const [first] = nodes
  const execute = new stage.core.WorkflowExecute(additionalData(stage, workflow), "manual")
  const pinData =
    items === undefined
      ? undefined
      : { [first.name]: items.map((json) => (binary === undefined ? { json } : { json, binary })) }
  const { data } = await execute.run({ workflow, startNode: first, pinData })
  const { error, runData } = data.resultData
  const of = (nodeName) => runData[nodeName]?.[0]?.data?.main?.[0]
  return { error, itemsOf: (nodeName) => of(nodeName)?.map(({ json }) => json), entriesOf: of }
}

/** Returns what a list or an option loader of a node offers. */
export const offered = (stage, { parameters, type }, kind, method) => {
  const workflow = chained(stage, [node("Carteiro", type, parameters)])
  const context = new stage.core.LoadOptionsContext(
    workflow,
    workflow.getNode("Carteiro"),
    additionalData(stage, workflow),
    ""
  )
  return stage.nodeTypes.getByNameAndVersion(workflow.getNode("Carteiro").type, 1).methods[kind][method].call(context)
}

/** A trigger that takes deliveries on a socket of its own, as n8n's web server would hand them on. */
export const listening = async (stage, events, port) => {
  const trigger = node("Trigger", "carteiroTrigger", { events })
  const workflow = chained(stage, [trigger])
  const type = stage.nodeTypes.getByNameAndVersion(trigger.type, 1)
  const received = []
  const waiting = []
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const answered = { status: 200, body: {} }
    const httpResponse = {
      status: (status) => Object.assign(httpResponse, { code: status }),
      json: (body) => Object.assign(answered, { status: httpResponse.code, body })
    }
    const httpRequest = Object.assign(request, { rawBody: Buffer.concat(chunks) })
    const context = new stage.core.WebhookContext(
      workflow,
      workflow.getNode("Trigger"),
      additionalData(stage, workflow, { httpRequest, httpResponse }),
      "webhook",
      { webhookDescription: type.description.webhooks[0] },
      [],
      createRunExecutionData({})
    )
    const { webhookResponse, workflowData } = await type.webhook.call(context)
    const delivery = {
      headers: request.headers,
      rawBody: httpRequest.rawBody,
      workflowData,
      webhookResponse,
      ...answered
    }
    received.push(delivery)
    waiting.splice(0).forEach((wake) => wake())
    response.writeHead(answered.status, { "content-type": "application/json" }).end(JSON.stringify(answered.body))
  }).listen(port, "127.0.0.1")
  await once(server, "listening")
  const base = `http://127.0.0.1:${server.address().port}`
  const hook = (method) =>
    type.webhookMethods.default[method].call(
      new stage.core.HookContext(
        workflow,
        workflow.getNode("Trigger"),
        additionalData(stage, workflow, { webhookBaseUrl: base, webhookTestBaseUrl: base }),
        "trigger",
        "activate",
        { webhookDescription: type.description.webhooks[0] }
      )
    )
  return {
    base,
    hook,
    kept: () => workflow.getStaticData("node", workflow.getNode("Trigger")),
    received,
    /** Returns the first delivery that fits, when it has come. */
    async delivery(fits) {
      for (;;) {
        const found = received.find(fits)
        if (found !== undefined) return found
        await new Promise((wake) => waiting.push(wake))
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
  }
}
