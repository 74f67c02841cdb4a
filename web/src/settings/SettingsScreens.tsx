import { useParams } from 'wouter'
import SettingsPart from './SettingsPart.tsx'
import SettingsScreen from './SettingsScreen.tsx'

/** Settings, or one of its parts. One module, so that the first visit has one name less. */
export default function SettingsScreens() {
  return useParams().part ? <SettingsPart /> : <SettingsScreen />
}
