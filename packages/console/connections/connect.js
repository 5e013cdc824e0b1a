// The hosted signup. The launch token comes in the fragment, stays in this tab, and is sent to this server alone.
const id = location.pathname.split("/").at(-1) ?? ""
const told = document.getElementById("told")
const go = document.getElementById("go")
const kept = { token: `signup/${id}/token`, state: `signup/${id}/state` }

const say = (text) => {
  told.textContent = text
}

const offer = (text, act) => {
  go.textContent = text
  go.hidden = false
  go.onclick = () => {
    go.hidden = true
    act()
  }
}

const bearer = () => ({ authorization: `Bearer ${sessionStorage.getItem(kept.token) ?? ""}` })

const reasons = {
  invalid_upstream_signup_session_token: tr("This link is not valid any more. Ask for a new one."),
  upstream_signup_session_expired: tr("This link has expired. Ask for a new one."),
  upstream_signup_session_already_completed: tr("The account was connected already."),
  upstream_connection_already_exists: tr("An account is connected already."),
  upstream_biz_account_missing: tr("The platform did not say which account to connect. Ask whoever sent you here."),
  chatapp_credentials_invalid: tr("The platform did not confirm your consent. Try again."),
  upstream_token_foreign_app: tr("The platform answered for another app. Try again.")
}

const post = async (url, body) => {
  const headers = { ...bearer(), "content-type": "application/json" }
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  return { ok: answer.ok, body: await answer.json().catch(() => ({})) }
}

const leave = (returnUrl) => {
  const back = new URL(returnUrl)
  back.searchParams.set("signup_session_id", id)
  back.searchParams.set("status", "completed")
  sessionStorage.removeItem(kept.token)
  sessionStorage.removeItem(kept.state)
  say(tr("Connected. Taking you back."))
  location.replace(back.href)
}

const complete = async (launch, code) => {
  say(tr("Connecting your account."))
  const { ok, body } = await post(`/v1/provider-connections/upstream/signup-sessions/${id}/complete`, {
    code,
    ...(launch.simulated ? {} : { redirect_uri: launch.redirect_uri })
  })
  if (ok) return leave(launch.return_url)
  say(reasons[body.error?.code] ?? tr("That did not work. Try again."))
  begin(launch)
}

const begin = (launch) => {
  if (launch.simulated) {
    const code = `simulated_${crypto.randomUUID()}`
    return offer(tr("Connect a simulated account"), () => complete(launch, code))
  }
  if (launch.dialog_url === null)
    return say(tr("This service is not connected to the platform. Ask whoever sent you here."))
  offer(tr("Continue to the platform"), () => {
    const state = `${id}.${crypto.randomUUID()}`
    sessionStorage.setItem(kept.state, state)
    const dialog = new URL(launch.dialog_url)
    dialog.searchParams.set("state", state)
    location.assign(dialog.href)
  })
}

const start = async () => {
  const token = new URLSearchParams(location.hash.slice(1)).get("token")
  if (token !== null) sessionStorage.setItem(kept.token, token)
  const asked = new URLSearchParams(location.search)
  // Neither token nor code stays in the address, in the history or on the screen.
  history.replaceState(null, "", location.pathname)
  const { ok, body: launch } = await post(`${location.pathname}/launch`, {})
  if (!ok) return say(reasons[launch.error?.code] ?? tr("That did not work. Reload the page to try again."))
  if (launch.status === "completed") return leave(launch.return_url)
  if (launch.status === "expired") return say(reasons.upstream_signup_session_expired)
  const code = asked.get("code")
  if (code === null) {
    say(asked.has("error") ? tr("You did not give your consent. Nothing was connected.") : tr("Ready when you are."))
    return begin(launch)
  }
  if (asked.get("state") !== sessionStorage.getItem(kept.state)) {
    say(tr("The answer belongs to another attempt. Try again."))
    return begin(launch)
  }
  return complete(launch, code)
}

start().catch(() => say(tr("That did not work. Reload the page to try again.")))
