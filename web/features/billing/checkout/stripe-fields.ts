import type { Appearance, StripeError } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'

/** Stripe's card fields on this page, until they are closed. */
export type StripeCardFields = {
  /** Pays, and leaves the page for `returnUrl` when it worked. Answers what is wrong; null where nothing is. */
  pay(returnUrl: string): Promise<{ message: string; inField: boolean } | null>
  close(): void
}

/** Fetches Stripe's script and shows its fields in `place`, in our colours. Throws when Stripe cannot be reached. */
export async function mountCardFields(
  place: HTMLElement,
  publishableKey: string,
  clientSecret: string,
): Promise<StripeCardFields> {
  const stripe = await loadStripe(publishableKey)
  if (!stripe) throw new Error('Stripe did not load')
  const elements = stripe.elements({ clientSecret, appearance: readAppearance(place), locale: 'en' })
  const fields = elements.create('payment')
  await new Promise<void>((resolve, reject) => {
    fields.on('ready', () => resolve())
    fields.on('loaderror', ({ error }) => reject(new Error(error.message)))
    fields.mount(place)
  })
  return {
    async pay(returnUrl) {
      const { error: incomplete } = await elements.submit()
      if (incomplete) return toFieldError(incomplete)
      const payment = { elements, clientSecret, confirmParams: { return_url: returnUrl } }
      // With a trial nothing is paid yet: the card is kept for later, which is another question to the bank.
      const later = clientSecret.startsWith('seti_')
      const { error } = await (later ? stripe.confirmSetup(payment) : stripe.confirmPayment(payment))
      return toFieldError(error)
    },
    close: () => fields.destroy(),
  }
}

const toFieldError = ({ type, message }: StripeError) => ({
  message: message ?? 'Something went wrong with your payment',
  inField: type === 'validation_error',
})

/** The colours of the theme in use, read from the page: Stripe's frames cannot see them. */
function readAppearance(place: HTMLElement): Appearance {
  const style = getComputedStyle(place)
  const colour = (token: string) => style.getPropertyValue(`--${token}`).trim()
  return {
    theme: 'stripe',
    variables: {
      colorPrimary: colour('colorBrandForeground1'),
      colorBackground: colour('colorNeutralBackground1'),
      colorText: colour('colorNeutralForeground1'),
      colorTextSecondary: colour('colorNeutralForeground3'),
      colorDanger: colour('colorStatusDangerForeground1'),
      borderRadius: colour('borderRadiusMedium'),
      fontSizeBase: colour('fontSizeBase300'),
    },
  }
}
