//! The desktop's own session bus, and the programs it may start by itself.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use zbus::connection::Builder;
use zbus::{Connection, fdo};

use super::process::DesktopProcess;
use super::wait::{PATIENCE, wait_until};

/// Where packages put the files that tell a bus which program owns a name.
const SERVICE_FILES: &str = "/usr/share/dbus-1/services";

/// A running `dbus-daemon` and one connection to it.
#[derive(Debug)]
pub(super) struct SessionBus {
    _daemon: DesktopProcess,
    /// Value for `DBUS_SESSION_BUS_ADDRESS`.
    pub(super) address: String,
    /// The harness's own connection.
    pub(super) connection: Connection,
}

impl SessionBus {
    /// `activatable`: what the bus may start on demand, by the names of the packages' files.
    pub(super) async fn start(
        folder: &Path,
        runtime: &Path,
        environment: &[(String, String)],
        activatable: &[&str],
    ) -> Result<Self> {
        let services = folder.join("bus-services");
        std::fs::create_dir(&services)?;
        for name in activatable {
            let file = format!("{name}.service");
            std::os::unix::fs::symlink(Path::new(SERVICE_FILES).join(&file), services.join(&file))?;
        }
        let socket = runtime.join("bus");
        let configuration = folder.join("bus.conf");
        std::fs::write(&configuration, bus_configuration(&socket, &services))?;

        let mut command = Command::new("dbus-daemon");
        command.args(["--nofork", "--nopidfile", "--print-address", "--config-file"]).arg(&configuration);
        let daemon = DesktopProcess::start(&command, environment, folder.join("bus.log"))?;
        let address = format!("unix:path={}", socket.display());
        let connection = wait_until("the session bus", PATIENCE, async || Ok(Some(connect(&address).await?))).await?;
        Ok(Self { _daemon: daemon, address, connection })
    }

    /// Waits until some program owns `name`.
    pub(super) async fn wait_for_name(&self, name: &str) -> Result<()> {
        wait_until(&format!("{name} on the session bus"), PATIENCE, async || {
            Ok(self.has_name(name).await?.then_some(()))
        })
        .await
    }

    /// Waits until no program owns `name`.
    pub(super) async fn wait_for_no_name(&self, name: &str) -> Result<()> {
        wait_until(&format!("{name} to leave the session bus"), PATIENCE, async || {
            Ok((!self.has_name(name).await?).then_some(()))
        })
        .await
    }

    /// Has the program started that owns `name`.
    pub(super) async fn start_by_name(&self, name: &str) -> Result<()> {
        let bus = fdo::DBusProxy::new(&self.connection).await?;
        Ok(bus.start_service_by_name(name.try_into()?, 0).await.map(drop)?)
    }

    /// The number of the process that owns `name`.
    pub(super) async fn process_of(&self, name: &str) -> Result<u32> {
        Ok(fdo::DBusProxy::new(&self.connection).await?.get_connection_unix_process_id(name.try_into()?).await?)
    }

    pub(super) async fn has_name(&self, name: &str) -> Result<bool> {
        Ok(fdo::DBusProxy::new(&self.connection).await?.name_has_owner(name.try_into()?).await?)
    }
}

/// A connection of its own to the bus at `address`.
pub(super) async fn connect(address: &str) -> Result<Connection> {
    Ok(Builder::address(address)?.build().await?)
}

/// The policy is the one of a usual session bus: who may connect may do everything.
fn bus_configuration(socket: &Path, services: &Path) -> String {
    format!(
        r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={}</listen>
  <servicedir>{}</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"#,
        socket.display(),
        services.display()
    )
}
