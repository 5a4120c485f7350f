import type { Appearance, StripeError } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'

/** Stripe's mounted card fields. */
export type StripeCardFields = {
  /** Pays and, on success, navigates to `returnUrl`. Resolves with the error; null if there is none. */
  pay(returnUrl: string): Promise<{ message: string; inField: boolean } | null>
  unmount(): void
}

/** Loads Stripe's script and mounts its fields in `container` with the colors of the theme. Throws if Stripe cannot be reached. */
export async function mountCardFields(
  container: HTMLElement,
  publishableKey: string,
  clientSecret: string,
): Promise<StripeCardFields> {
  const stripe = await loadStripe(publishableKey)
  if (!stripe) throw new Error('Failed to load Stripe')
  const elements = stripe.elements({ clientSecret, appearance: readAppearance(container), locale: 'en' })
  const fields = elements.create('payment')
  await new Promise<void>((resolve, reject) => {
    fields.on('ready', () => resolve())
    fields.on('loaderror', ({ error }) => reject(new Error(error.message)))
    fields.mount(container)
  })
  return {
    async pay(returnUrl) {
      const { error: incomplete } = await elements.submit()
      if (incomplete) return toFieldError(incomplete)
      const payment = { elements, clientSecret, confirmParams: { return_url: returnUrl } }
      // During a trial nothing is charged: the card is set up for later payments, which needs another confirmation.
      const isSetup = clientSecret.startsWith('seti_')
      const { error } = await (isSetup ? stripe.confirmSetup(payment) : stripe.confirmPayment(payment))
      return toFieldError(error)
    },
    unmount: () => fields.destroy(),
  }
}

const toFieldError = ({ type, message }: StripeError) => ({
  message: message ?? 'Something went wrong with your payment',
  inField: type === 'validation_error',
})

/** Reads the colors of the active theme from the page, which Stripe's frames cannot access. */
function readAppearance(container: HTMLElement): Appearance {
  const style = getComputedStyle(container)
  const readToken = (token: string) => style.getPropertyValue(`--${token}`).trim()
  return {
    theme: 'stripe',
    variables: {
      colorPrimary: readToken('colorBrandForeground1'),
      colorBackground: readToken('colorNeutralBackground1'),
      colorText: readToken('colorNeutralForeground1'),
      colorTextSecondary: readToken('colorNeutralForeground3'),
      colorDanger: readToken('colorStatusDangerForeground1'),
      borderRadius: readToken('borderRadiusMedium'),
      fontSizeBase: readToken('fontSizeBase300'),
    },
  }
}
