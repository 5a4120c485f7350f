import { startOfHour } from 'date-fns/startOfHour'
import type { Integration, IntegrationStatus } from '#contracts/integrations.ts'
import { isModelConnected, testModel } from '#modules/assistant/public.ts'
import { getPaymentKind, testPayments } from '#modules/billing/public.ts'
import { hasClearinghouse } from '#modules/insurance/public.ts'
import { MailError, MailUnavailable } from '#mail/errors.ts'
import type { Services } from '#modules/module.ts'
import { type Vendor, type VendorState, vendorTestTimeoutMs } from '#database/vendor-log.ts'
import { withTimeout } from '#runtime/with-timeout.ts'

/** The error of a mail server that postpones messages, or of a vendor that is asked too often. */
const isPostponed = (code: string) => /^(smtp-4\d\d|http-429|twilio-(429|20429))$/.test(code)

/** Returns the status that the last calls show; `working` is the word for a service that works. */
export function findStatus(
  { lastSuccessAt, lastError }: VendorState,
  working: 'connected' | 'operational',
): IntegrationStatus {
  if (lastError && (lastSuccessAt === null || lastError.at > lastSuccessAt))
    return isPostponed(lastError.code) ? 'rate_limited' : 'error'
  return lastSuccessAt ? working : 'unknown'
}

const toReply = <Name extends Integration['name']>(
  name: Name,
  { lastSuccessAt, lastError }: VendorState,
  status: IntegrationStatus,
): Integration & { name: Name } => ({
  name,
  status,
  lastSuccessAt: lastSuccessAt && startOfHour(lastSuccessAt).toISOString(),
  lastError: lastError && { at: startOfHour(lastError.at).toISOString(), code: lastError.code },
  canTest: true,
})

const withoutCalls = <Name extends Integration['name']>(
  name: Name,
  status: 'stand_in' | 'not_configured',
): Integration & { name: Name } => ({
  name,
  status,
  lastSuccessAt: null,
  lastError: null,
  canTest: false,
})

/** Asks the database and the event store. Returns the code of the error; null when both respond. */
async function checkDatabase({ pool, store, vendors }: Pick<Services, 'pool' | 'store' | 'vendors'>) {
  const check = Promise.all([pool.query('select 1'), store.head()]).then(
    () => null,
    () => 'no-reply',
  )
  const error = await withTimeout(check, vendorTestTimeoutMs, () => 'no-reply')
  await vendors.record('database', error)
  return error
}

/** Returns the state of the vendors, as the last calls of each show it. */
export async function findVendorStates(services: Services) {
  const { vendors, mail } = services
  const findAi = async () => (isModelConnected(services) ? await vendors.find('ai') : null)
  const [ai, payments, email] = await Promise.all([findAi(), vendors.find('payments'), vendors.find('email')])
  const paymentKind = getPaymentKind(services)
  return [
    ai ? toReply('ai', ai, findStatus(ai, 'connected')) : withoutCalls('ai', 'not_configured'),
    paymentKind === 'stripe'
      ? toReply('payments', payments, findStatus(payments, 'connected'))
      : withoutCalls('payments', paymentKind === 'none' ? 'not_configured' : 'stand_in'),
    mail.kind === 'smtp' ? toReply('email', email, findStatus(email, 'connected')) : withoutCalls('email', 'stand_in'),
  ] as const
}

/** Returns the state of the vendor of text messages. */
async function findTextState({ sms, vendors }: Pick<Services, 'sms' | 'vendors'>): Promise<Integration> {
  if (sms.kind === 'outbox') return withoutCalls('sms', 'stand_in')
  const state = await vendors.find('sms')
  return toReply('sms', state, findStatus(state, 'connected'))
}

/** Returns the state of the clearinghouse. */
async function findClearinghouseState(services: Services): Promise<Integration> {
  if (!hasClearinghouse(services)) return withoutCalls('clearinghouse', 'not_configured')
  const state = await services.vendors.find('clearinghouse')
  return { ...toReply('clearinghouse', state, findStatus(state, 'connected')), canTest: false }
}

/** Returns the state of every service. The database is asked at once; of the others the last calls count. */
export async function listStates(services: Services): Promise<Integration[]> {
  await checkDatabase(services)
  const [states, texts, clearinghouse, database] = await Promise.all([
    findVendorStates(services),
    findTextState(services),
    findClearinghouseState(services),
    services.vendors.find('database'),
  ])
  return [...states, texts, clearinghouse, toReply('database', database, findStatus(database, 'operational'))]
}

/** A service that can be tried without a question about a patient. */
type TestableVendor = Exclude<Vendor, 'clearinghouse'>

/** Returns whether a service can be tested: it is called over the network with this installation's configuration. */
export function canTest(services: Services, name: Integration['name']): name is TestableVendor {
  if (name === 'ai') return isModelConnected(services)
  if (name === 'payments') return getPaymentKind(services) === 'stripe'
  if (name === 'sms') return services.sms.kind === 'vendor'
  return name === 'database' || (name === 'email' && services.mail.kind === 'smtp')
}

/** Calls a service and records the outcome. Returns the code of the error; null when it works. */
export async function testVendor(services: Services, name: TestableVendor): Promise<string | null> {
  if (name === 'database') return await checkDatabase(services)
  if (name === 'ai') return await testModel(services)
  if (name === 'payments') return await testPayments(services)
  const { mail, sms, vendors } = services
  const call =
    name === 'sms'
      ? withTimeout(sms.verify(), vendorTestTimeoutMs, () => Promise.reject(new MailUnavailable('no-reply')))
      : mail.verify(AbortSignal.timeout(vendorTestTimeoutMs))
  const error = await call.then(
    () => null,
    (failure: unknown) => (failure instanceof MailError ? failure.code : 'failed'),
  )
  await vendors.record(name, error)
  return error
}
