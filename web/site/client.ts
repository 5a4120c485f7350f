import './site.css'

/** The key under which the application stores when a user of this browser was last active (web/api/last-input.ts); absent when signed out. */
const lastInputKey = 'everchart.last-input'
const periodKey = 'everchart.period'
const toastMs = 5_000

const find = <E extends HTMLElement>(selector: string): E | null => document.querySelector<E>(selector)
const findAll = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)]

type Toast = { title: string; body: string; isError?: boolean }

/** Shows one toast for five seconds (spec page 1, section 9). */
function showToast({ title, body, isError = false }: Toast): void {
  const heading = Object.assign(document.createElement('b'), { textContent: title })
  const text = Object.assign(document.createElement('span'), { textContent: body })
  const toast = document.createElement('div')
  toast.className = isError ? 'toast error' : 'toast'
  toast.append(heading, text)
  find('#toasts')?.replaceChildren(toast)
  setTimeout(() => toast.remove(), toastMs)
}

const send = (path: string, body: object): Promise<Response> =>
  fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'include',
  })

/** Shows the part of a page that is for signed-in users, or the other one. */
function showVariant(isSignedIn: boolean): void {
  for (const part of findAll('[data-signed-in]')) part.hidden = !isSignedIn
  for (const part of findAll('[data-signed-out]')) part.hidden = isSignedIn
}

/** Greets a signed-in user. Visitors, who have never used the application here, send no request. */
async function greetUser(): Promise<void> {
  if (localStorage.getItem(lastInputKey) === null) return
  const reply = await fetch('/api/user', { credentials: 'include' })
  if (!reply.ok) return
  const { firstName } = (await reply.json()) as { firstName: string }
  for (const part of findAll('[data-first-name]')) part.textContent = firstName
  showVariant(true)
}

async function signOut(): Promise<void> {
  try {
    const reply = await send('/api/logout', {})
    if (!reply.ok) throw new Error(`${reply.status}: ${reply.statusText}`)
    localStorage.removeItem(lastInputKey)
    // Windows of the application leave too; see `web/api/session-channel.ts`.
    const channel = new BroadcastChannel('everchart-session')
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin but its own
    channel.postMessage({ kind: 'signed-out' })
    channel.close()
    showVariant(false)
    find('.nav-end[data-signed-out] a')?.focus()
    showToast({ title: 'Logged out', body: 'You have been successfully logged out.' })
  } catch (error) {
    showToast({ title: 'Logout failed', body: (error as Error).message, isError: true })
  }
}

/** Sends the newsletter form without leaving the page. Only an address with an at-sign is sent (spec page 1, section 5). */
async function subscribe(form: HTMLFormElement): Promise<void> {
  const { email = '', website = '' } = Object.fromEntries(new FormData(form)) as Record<string, string>
  const note = form.querySelector<HTMLElement>('[data-note]')
  const input = form.querySelector('input')
  const button = form.querySelector('button')
  // Not `disabled`, which would take the focus away.
  if (!email.includes('@') || !note || !input || !button || button.ariaDisabled === 'true') return
  button.ariaDisabled = 'true'
  const setError = (message: string) => {
    note.textContent = message
    input.ariaInvalid = 'true'
    input.focus()
    input.addEventListener('input', () => (input.ariaInvalid = 'false'), { once: true })
  }
  try {
    const reply = await send('/api/newsletter/subscribe', { email, ...(website ? { website } : {}) })
    // What is wrong with the address is said beside it alone.
    if (reply.status === 422) return setError(await readProblem(reply))
    if (!reply.ok) throw new Error(await readProblem(reply))
    input.ariaInvalid = 'false'
    const { delivery } = (await reply.json()) as { delivery: 'mail' | 'outbox' }
    form.reset()
    note.textContent =
      delivery === 'mail'
        ? 'We have sent you a confirmation. Please open its link.'
        : 'Mail is not configured on this installation: the confirmation is in its outbox.'
    showToast({
      title: 'Successfully subscribed!',
      body: 'You’ll receive our healthcare insights newsletter monthly.',
    })
  } catch (error) {
    // Without a reply, `fetch` throws an error of its own, in the browser's words.
    setError(error instanceof TypeError ? 'There was no reply. Please try again.' : (error as Error).message)
    showToast({ title: 'Subscription failed', body: 'Please try again later.', isError: true })
  } finally {
    button.ariaDisabled = 'false'
  }
}

/** Returns what a refusal says about the address, or in general. */
async function readProblem(reply: Response): Promise<string> {
  try {
    const { message, errors } = (await reply.json()) as { message: string; errors: { message: string }[] }
    return errors[0]?.message ?? message
  } catch {
    return 'Please try again later.'
  }
}

/** Keeps the chosen billing period from page to page. */
function keepPeriod(): void {
  const options = findAll('[data-period]') as HTMLInputElement[]
  const kept = sessionStorage.getItem(periodKey)
  for (const option of options) {
    if (option.value === kept) option.checked = true
    option.addEventListener('change', () => sessionStorage.setItem(periodKey, option.value))
  }
}

/** Searches the how-tos of the help page while typing. All words must occur, in any order. */
function searchHelp(): void {
  const search = find('[data-help-search]')
  const input = search?.querySelector('input')
  const status = find('[data-help-status]')
  if (!search || !input || !status) return
  const sections = findAll('section[data-help]')
  const update = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = sections.filter(({ textContent }) => {
      const text = textContent.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    const ids = new Set(found.map(({ id }) => id))
    for (const part of findAll('[data-help]')) part.hidden = !ids.has(part.dataset['help'] ?? '')
    status.textContent = words.length === 0 ? '' : `${found.length} ${found.length === 1 ? 'how-to' : 'how-tos'} found`
  }
  input.addEventListener('input', update)
  search.hidden = false
}

keepPeriod()
searchHelp()
greetUser().catch(() => undefined)
find('[data-sign-out]')?.addEventListener('click', () => void signOut())
find('[data-newsletter]')?.addEventListener('submit', (event) => {
  event.preventDefault()
  void subscribe(event.target as HTMLFormElement)
})
const menu = find<HTMLDetailsElement>('.menu')
const isInMenu = (target: EventTarget | null) => target instanceof Node && menu?.contains(target) === true
// The menu of narrow windows closes by its links, which may lead to a section of this page, by a press beside it, by Escape,
// and when the focus leaves it.
document.addEventListener('click', ({ target }) => {
  if (menu && (!isInMenu(target) || (target instanceof Element && target.closest('a')))) menu.open = false
})
menu?.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget && !isInMenu(relatedTarget)) menu.open = false
})
document.addEventListener('keydown', ({ key, target }) => {
  if (key !== 'Escape' || !menu?.open) return
  menu.open = false
  if (isInMenu(target)) menu.querySelector('summary')?.focus()
})
