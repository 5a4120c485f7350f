import { Button, Input, type InputProps } from '@fluentui/react-components'
import { EyeOffRegular } from '@fluentui/react-icons/svg/eye-off'
import { EyeRegular } from '@fluentui/react-icons/svg/eye'
import { useState } from 'react'

/** Password field with a button that reveals the text. Remains recognizable to password managers. */
export function PasswordInput(props: InputProps) {
  const [isVisible, setVisible] = useState(false)
  return (
    <Input
      {...props}
      type={isVisible ? 'text' : 'password'}
      contentAfter={
        <Button
          appearance="transparent"
          size="small"
          icon={isVisible ? <EyeOffRegular /> : <EyeRegular />}
          aria-label={isVisible ? 'Hide password' : 'Show password'}
          aria-pressed={isVisible}
          onClick={() => setVisible(!isVisible)}
        />
      }
    />
  )
}
