import { Button, Input, type InputProps } from '@fluentui/react-components'
import { EyeOffRegular } from '@fluentui/react-icons/svg/eye-off'
import { EyeRegular } from '@fluentui/react-icons/svg/eye'
import { useState } from 'react'

/** A password with a button to look at it. Stays a password field for password managers. */
export function PasswordInput(props: InputProps) {
  const [shown, show] = useState(false)
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      contentAfter={
        <Button
          appearance="transparent"
          size="small"
          icon={shown ? <EyeOffRegular /> : <EyeRegular />}
          aria-label={shown ? 'Hide password' : 'Show password'}
          aria-pressed={shown}
          onClick={() => show(!shown)}
        />
      }
    />
  )
}
