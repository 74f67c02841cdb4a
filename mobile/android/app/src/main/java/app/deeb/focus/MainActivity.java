package app.deeb.focus;

import com.getcapacitor.BridgeActivity;

public class MainActivity extends BridgeActivity {}
