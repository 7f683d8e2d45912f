# Confines itself with Landlock and becomes a command: what a small C program would do, in the
# interpreter that every Debian brings along.
#
# "probe" prints the version of Landlock, 0 for none. "run" takes "net" or "nonet", then places as
# "x:PATH" (read and execute), "w:PATH" (change, too), "d:PATH" (a device), "t:PATH" (home and
# temporary files), then "--" and the command.
use strict;
use warnings;
use Fcntl ();
use POSIX ();

my ($CREATE_RULESET, $ADD_RULE, $RESTRICT_SELF) = (444, 445, 446);
my ($EXECUTE, $WRITE, $READ, $READ_DIR) = (1, 2, 4, 8);
my ($MAKE_CHAR, $MAKE_BLOCK, $TRUNCATE, $IOCTL) = (1 << 6, 1 << 11, 1 << 14, 1 << 15);
my $OF_FILES = $EXECUTE | $WRITE | $READ | $TRUNCATE | $IOCTL;
my $PATH = 0x200000;

my %prctl = (x86_64 => 157, aarch64 => 167, riscv64 => 167, ppc64le => 171, s390x => 172);
my $prctl = $prctl{ (POSIX::uname())[4] };
my $abi = $prctl ? syscall($CREATE_RULESET, 0, 0, 1) : 0;

sub fail {
  print STDERR "The sandbox could not be set up: $_[0]\n";
  exit 126;
}

my $mode = shift @ARGV;
if ($mode eq 'probe') {
  print $abi > 0 ? $abi : 0;
  exit 0;
}
fail('no Landlock') if $abi < 1;

my $handled = (1 << 13) - 1;
$handled |= 1 << 13 if $abi >= 2;
$handled |= $TRUNCATE if $abi >= 3;
$handled |= $IOCTL if $abi >= 5;
my $tcp = (shift @ARGV) eq 'nonet' ? 3 : 0;
# Sizes grew with the versions; what a kernel does not know, it is not told.
my $attributes = pack('Q', $handled);
$attributes .= pack('Q', $tcp) if $abi >= 4;
$attributes .= pack('Q', 3) if $abi >= 6;
my $ruleset = syscall($CREATE_RULESET, $attributes, length($attributes), 0);
fail("ruleset: $!") if $ruleset < 0;

sub allow {
  my ($path, $rights, $follow) = @_;
  my $flags = $PATH | ($follow ? 0 : Fcntl::O_NOFOLLOW());
  sysopen(my $place, $path, $flags) or return;
  $rights &= $OF_FILES unless -d $place;
  my $rule = pack('Ql', $rights & $handled, fileno($place));
  syscall($ADD_RULE, $ruleset, 1, $rule, 0) == 0 or fail("$path: $!");
  close($place);
}

while (defined(my $place = shift @ARGV)) {
  last if $place eq '--';
  my ($how, $path) = split(/:/, $place, 2);
  if ($how eq 'x') {
    allow($path, $EXECUTE | $READ | $READ_DIR, 1);
  } elsif ($how eq 'd') {
    allow($path, $READ | $WRITE | $IOCTL, 1);
  } else {
    allow($path, $handled & ~$MAKE_CHAR & ~$MAKE_BLOCK, 0);
    @ENV{ 'HOME', 'TMPDIR' } = ($path, $path) if $how eq 't';
  }
}

syscall($prctl, 38, 1, 0, 0, 0) == 0 or fail("no_new_privs: $!");
syscall($RESTRICT_SELF, $ruleset, 0) == 0 or fail("restrict: $!");
POSIX::close($ruleset);
exec { $ARGV[0] } @ARGV or fail("$ARGV[0]: $!");
